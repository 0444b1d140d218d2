import { afterEach, describe, expect, test } from "bun:test";
import type { SupersededHow } from "../../src/core/observation.ts";
import {
  committed,
  type Draft,
  decision,
  editOf,
  finding,
  linksIn,
  mended,
  type Scripted,
  scripted,
} from "./scripted.ts";

let store: Scripted | undefined;
afterEach(() => store?.close());

type Case = [name: string, older: Draft, newer: Draft, how: SupersededHow | null];

const git = (title: string, facts: string[] = []): Draft => ({
  unit: "run:git",
  title,
  type: "change",
  facts,
});

const CORRECTED: Case[] = [
  [
    "a claim taken back",
    finding("`syncOrders` drops orders because the queue is full"),
    finding("I was wrong: `syncOrders` drops orders because of the timezone, not the queue"),
    "corrected",
  ],
  [
    "taken back in German",
    finding("`syncOrders` verliert Bestellungen, weil die Warteschlange voll ist"),
    finding(
      "Ich lag falsch: `syncOrders` verliert Bestellungen wegen der Zeitzone, die Warteschlange war leer",
    ),
    "corrected",
  ],
  [
    "taken back in Spanish",
    finding("`syncOrders` pierde pedidos porque la cola está llena"),
    finding("Me equivoqué: `syncOrders` pierde pedidos por la zona horaria, la cola está vacía"),
    "corrected",
  ],
  [
    "taken back in Japanese",
    finding("`syncOrders` が注文を失う原因はキューの上限です"),
    finding("先ほどの説明は間違っていました。`syncOrders` が注文を失う原因はキューの上限ではなく時差です"),
    "corrected",
  ],
  [
    "something else taken back",
    finding("`syncOrders` drops orders because the queue is full"),
    finding("I was wrong: `renderCart` is not cached at all"),
    null,
  ],
  [
    "said the other way round without taking anything back",
    finding("`syncOrders` drops orders because the queue is full"),
    finding("`syncOrders` drops orders because of the timezone"),
    null,
  ],
  [
    "a commit reverted",
    committed("add rates", "aaaaaaa"),
    git("Reverted aaaaaaa", ["Reverted aaaaaaa"]),
    "corrected",
  ],
  [
    "another commit reverted",
    committed("add rates", "aaaaaaa"),
    git("Reverted bbbbbbb", ["Reverted bbbbbbb"]),
    null,
  ],
  [
    "an edit discarded",
    editOf("src/a.ts", "Added parseRate to src/a.ts"),
    { unit: "run:undo", title: "Discarded changes to src/a.ts", type: "change", filesModified: ["src/a.ts"] },
    "corrected",
  ],
  [
    "the assistant does not overrule the user",
    decision("Always run the e2e suite before a release"),
    finding("I was wrong: the e2e suite is not run before a release"),
    null,
  ],
];

const guess = (title: string) => finding(`${title} (unconfirmed)`, { hypothesis: true });

const CONFIRMED: Case[] = [
  [
    "stated as a fact",
    guess("The flaky `LoginTest` is probably caused by the shared clock"),
    finding("The root cause of the flaky `LoginTest` is the shared clock"),
    "confirmed",
  ],
  [
    "stated as a fact in French",
    guess("L'échec de `LoginTest` vient probablement de l'horloge partagée"),
    finding("La cause de l'échec de `LoginTest` est l'horloge partagée"),
    "confirmed",
  ],
  [
    "stated as a fact in Japanese",
    guess("`LoginTest` の失敗は共有時計が原因かもしれない"),
    finding("`LoginTest` の失敗は共有時計が原因でした"),
    "confirmed",
  ],
  [
    "borne out by the fix",
    guess("`LoginTest` probably fails because `sharedClock` is frozen"),
    {
      ...mended("test", "npm test", ["LoginTest"]),
      narrative: "It fails no more: `sharedClock` was frozen.",
    },
    "confirmed",
  ],
  [
    "guessed again",
    guess("The flaky `LoginTest` is probably caused by the shared clock"),
    guess("Maybe the flaky `LoginTest` is caused by the network mock"),
    null,
  ],
  [
    "something else found",
    guess("The flaky `LoginTest` is probably caused by the shared clock"),
    finding("The root cause of the slow `CartTest` is the network mock"),
    null,
  ],
];

for (const [kind, cases] of Object.entries({ CORRECTED, CONFIRMED })) {
  describe(kind.toLowerCase(), () => {
    test.each(cases)("%s", (_, older, newer, how) => {
      store = scripted([{ drafts: [older] }, { drafts: [newer] }]);
      store.compress([0, 1]);
      expect(linksIn(store.db)).toEqual(how ? [`${older.title} → ${newer.title} (${how})`] : []);
    });
  });
}
