import mainLoop from "./001-main-loop.sql" with { type: "text" };
import complete from "./002-complete.sql" with { type: "text" };
import forgotten from "./003-forgotten.sql" with { type: "text" };
import recall from "./004-recall.sql" with { type: "text" };
import fulltext from "./005-fulltext.sql" with { type: "text" };

/** Numbered from 1 in this order; a released one is never changed. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "main-loop", sql: mainLoop },
  { name: "complete", sql: complete },
  { name: "forgotten", sql: forgotten },
  { name: "recall", sql: recall },
  { name: "fulltext", sql: fulltext },
];
