/** A process that writes events into a spool: `writer.ts DATA PROJECT FROM COUNT`, each number one event. */

import { eventKey } from "../src/capture/key.ts";
import { pathsOf } from "../src/env/paths.ts";
import { appendEvent } from "../src/spool/append.ts";
import { eventOf } from "./payloads.ts";
import { seededRandom } from "./stats.ts";

const [data = "", project = "", from = "0", count = "0"] = process.argv.slice(2);
const paths = pathsOf(data);
const random = seededRandom(Number(from));
for (let number = Number(from); number < Number(from) + Number(count); number += 1) {
  // Step 1 of a turn is a tool call: a call has an id of its own, so that it can be found again.
  const event = eventOf(number * 10 + 1, project);
  const numbered = { ...event, body: { ...event.body, toolUseId: `numbered_${number}` } };
  appendEvent(paths.spool, { ...numbered, key: eventKey(numbered) });
  await Bun.sleep(random() * 6);
}
