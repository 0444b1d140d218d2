/** The problem and the fix, where a closing message tells them under such names. */
import { sentencesOf } from "../../../core/text.ts";
import type { Paragraph } from "./closing.ts";
import { bareSentence, contentWords } from "./sentences.ts";

const PROBLEM =
  /^(?:the )?(?:actual |real )?(?:bug|problem|root causes?|cause|issue|what was wrong|before|das problem|problem|ursache|le problème|la cause|el problema|la causa|o problema|a causa|il problema|проблема|причина|问题|原因|問題|문제|원인)\s*(?:[:：—–-]|$)\s*/iu;
const FIX =
  /^(?:the )?(?:fix(?:es)?|solution|resolution|after|what changed|die lösung|lösung|behebung|la solution|correction|la solución|solución|arreglo|a solução|solução|correção|la soluzione|soluzione|решение|исправление|修复|解决方案|修正|対応|해결|수정)\s*(?:applied\s*)?(?:[:：—–-]|$)\s*/iu;

export type Told = { problem: string; fix: string };

/** Each the first sentence that says something under its label or heading; "" where it is not told. */
export function problemIn(paragraphs: readonly Paragraph[]): Told {
  return { problem: labelled(paragraphs, PROBLEM), fix: labelled(paragraphs, FIX) };
}

function labelled(paragraphs: readonly Paragraph[], label: RegExp): string {
  for (const [at, { kind, text }] of paragraphs.entries()) {
    if (!label.test(text)) continue;
    const own = kind === "heading" ? "" : text.replace(label, "");
    const following = paragraphs.slice(at + 1, at + 3).filter((next) => next.kind !== "heading");
    for (const words of [own, ...following.map((next) => next.text)]) {
      const [first = ""] = sentencesOf(words);
      if (contentWords(first) >= 4 && !/[:：?？]$/.test(first)) return bareSentence(first);
    }
  }
  return "";
}
