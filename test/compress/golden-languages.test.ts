import { describe, expect, test } from "bun:test";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { edit, end, observationsOf, turnOf } from "./turns.ts";

/** Language, a closing with a cause, a guess, what is left to do. */
const CLOSINGS: [language: string, cause: string, guess: string, next: string][] = [
  [
    "German",
    "Die Anmeldung schlägt fehl, weil `parseToken` in `src/auth.ts` Sekunden mit Millisekunden vergleicht.",
    "Der Speicher in `src/c.ts` ist vermutlich veraltet, weil ihn niemand leert.",
    "Nächste Schritte",
  ],
  [
    "French",
    "La connexion échoue parce que `parseToken` dans `src/auth.ts` compare des secondes et des millisecondes.",
    "Le cache de `src/c.ts` est probablement périmé parce que personne ne le vide.",
    "Prochaines étapes",
  ],
  [
    "Spanish",
    "La sesión falla porque `parseToken` en `src/auth.ts` compara segundos con milisegundos.",
    "El caché de `src/c.ts` probablemente está viejo porque nadie lo vacía.",
    "Próximos pasos",
  ],
  [
    "Portuguese",
    "O login falha porque `parseToken` em `src/auth.ts` compara segundos com milissegundos.",
    "O cache de `src/c.ts` provavelmente está velho porque ninguém o limpa.",
    "Próximos passos",
  ],
  [
    "Italian",
    "L'accesso fallisce perché `parseToken` in `src/auth.ts` confronta secondi e millisecondi.",
    "La cache di `src/c.ts` è probabilmente vecchia perché nessuno la svuota.",
    "Prossimi passi",
  ],
  [
    "Russian",
    "Вход не работает, потому что `parseToken` в `src/auth.ts` сравнивает секунды с миллисекундами.",
    "Кэш в `src/c.ts`, вероятно, устарел, потому что его никто не чистит.",
    "Следующие шаги",
  ],
  [
    "Chinese",
    "登录失败是因为 `src/auth.ts` 里的 `parseToken` 把秒和毫秒进行比较。",
    "`src/c.ts` 的缓存可能过期了，因为没有人清理它。",
    "下一步",
  ],
  [
    "Japanese",
    "ログインが失敗する原因は `src/auth.ts` の `parseToken` が秒とミリ秒を比べていることです。",
    "`src/c.ts` のキャッシュはおそらく古く、誰も消さないためです。",
    "次のステップ",
  ],
  [
    "Korean",
    "로그인이 실패하는 이유는 `src/auth.ts`의 `parseToken`이 초와 밀리초를 비교하기 때문입니다.",
    "`src/c.ts`의 캐시는 아마 오래되었고 아무도 비우지 않기 때문입니다.",
    "다음 단계",
  ],
];
const FILL = " `a` `b`. ".repeat(20);

describe("any language in, the same language out", () => {
  for (const [language, cause, guess, next] of CLOSINGS) {
    test(`${language}: the cause is the finding, in its words`, () => {
      const [found] = observationsOf("?", [end(`${cause}\n\n${FILL}`)]);
      expect(found?.title.replace("…", "")).toBe(cause.slice(0, found?.title.replace("…", "").length));
      expect(found?.title).not.toContain("(unconfirmed)");
    });

    test(`${language}: a guess is marked`, () => {
      const [found] = observationsOf("?", [end(`${guess}\n\n${FILL}`)]);
      expect(found?.hypothesis).toBe(true);
    });

    test(`${language}: what was learned and what is left`, () => {
      const { summary } = compressLocally(
        turnOf("go", [
          edit("src/auth.ts", [" function parseToken() {", "-  a();", "+  b();", " }"]),
          end(`${cause}\n\n## ${next}\n\n- \`src/c.ts\``),
        ]),
      );
      expect(summary?.learned).toBe(cause);
      expect(summary?.nextSteps).toBe("`src/c.ts`.");
    });
  }

  const RULES = [
    "Ab jetzt immer mit Tests.",
    "nein, verwende die Uhr des Speichers dafür",
    "je préfère les tabulations partout",
    "non, utilise plutôt la base locale ici",
    "prefiero tabuladores en todas partes",
    "não use tipos soltos neste projeto",
    "d'ora in poi rispondi in italiano",
    "никогда не пиши в папку проекта",
    "以后都用 pnpm 安装依赖",
    "今後はテストを先に書いてください",
    "앞으로는 항상 테스트를 먼저 작성해 주세요",
  ];
  for (const words of RULES)
    test(`a rule: ${words}`, () => {
      const [rule] = observationsOf(words, []);
      expect(rule).toMatchObject({ type: "decision", origin: "user", narrative: words });
    });
});
