/** Words that say what a sentence does, by language: why, guess, trap, done, left to do, nothing. */

type Table = { [language: string]: string };

/** Matches any of the phrases as whole words; in scripts without spaces anywhere. `|` separates, regular syntax holds. */
function anyOf(table: Table): RegExp {
  const spaced: string[] = [];
  const unspaced: string[] = [];
  for (const [language, phrases] of Object.entries(table))
    (/^(?:zh|ja|ko)$/.test(language) ? unspaced : spaced).push(phrases);
  const words = `(?<![\\p{L}\\p{N}])(?:${spaced.join("|")})(?![\\p{L}\\p{N}])`;
  return new RegExp([words, ...unspaced].join("|"), "iu");
}

/** Says why something is or was so. */
export const CAUSE = anyOf({
  en: "because|root cause|turns? out|the (?:actual |real |underlying )?(?:problem|issue|bug|reason|cause|culprit|difference) (?:is|was|here is|here was)|caused by|due to|stems? from|comes? from the fact",
  de: "weil|ursache|grund (?:ist|war|dafür)|das problem (?:ist|war|lag)|liegt daran|lag daran|aufgrund|stellte sich heraus",
  fr: "parce que?|la cause|le problème (?:est|était|vient)|à cause d|en raison d|provient d|il s'avère",
  es: "porque|la causa|el problema (?:es|era|fue)|debido a|se debe a|resulta que",
  pt: "porque|a causa|o problema (?:é|era|foi)|devido a|por causa d|acontece que",
  it: "perché|la causa|il problema (?:è|era)|a causa d|dovuto a|si scopre che",
  ru: "потому что|причина|проблема (?:в|была)|из-за|оказалось|оказывается",
  zh: "因为|原因|由于|問題在於|问题(?:是|在于|出在)|导致|結果發現|原来",
  ja: "原因|理由は|のため|ためです|問題は|によって起き|せいで",
  ko: "때문|원인|이유는|문제는|알고 보니",
});

/** Announces the point of a message. */
export const MARKER = anyOf({
  en: "root cause|found (?:it|the (?:actual |real )?(?:issue|problem|root cause|bug|culprit|reason))|key (?:finding|insight|takeaway)|this is a (?:real )?bug|the (?:actual |real |underlying |core )?(?:bug|issue|problem|culprit) (?:is|was|here is|here was)|bottom line|in short|the answer(?: is)?|turns out|the (?:reason|cause) (?:is|was)|misdiagnos\\w+|i was wrong|this means|verdict",
  de: "die ursache|das problem (?:ist|war)|kurz gesagt|fazit|der fehler (?:ist|war|lag)|der grund",
  fr: "la cause|le problème (?:est|était)|en bref|conclusion|la raison",
  es: "la causa|el problema (?:es|era)|en resumen|conclusión|la razón",
  pt: "a causa|o problema (?:é|era)|em resumo|conclusão|a razão",
  it: "la causa|il problema (?:è|era)|in breve|conclusione|la ragione",
  ru: "причина|проблема (?:в|была)|итог|вывод|дело в том",
  zh: "根本原因|原因是|问题(?:是|在于|出在)|结论|总之",
  ja: "原因は|問題は|結論|つまり|要するに",
  ko: "원인은|문제는|결론|요약하면",
});

/** Opens a list of ways to go. */
export const PROPOSAL = anyOf({
  en: "options?|either|alternatives?|propos(?:ed|als?)|want me to|would you like|could|approach(?:es)?|to fix (?:this|it)|the changes would be|recommend(?:ed|ations?)?|suggest(?:ed|ions?)?|next steps?|possible (?:fixes|solutions)|you (?:can|could|might)|ways to|ideas",
  de: "optionen|entweder|alternativen|vorschl(?:ag|äge)|könnten?|empfehl\\w+|nächste schritte|möglichkeiten",
  fr: "options|soit|alternatives|propositions?|pourrait|recommand\\w+|prochaines étapes|possibilités",
  es: "opciones|alternativas|propuestas?|podríamos|recomend\\w+|próximos pasos|posibilidades",
  pt: "opções|alternativas|propostas?|poderíamos|recomend\\w+|próximos passos",
  it: "opzioni|alternative|proposte?|potremmo|consigli\\w*|prossimi passi",
  ru: "варианты|предлагаю|можно|рекоменд\\w+|следующие шаги",
  zh: "方案|选项|建议|可以(?:选择|考虑)|下一步",
  ja: "選択肢|案|提案|推奨|次のステップ",
  ko: "옵션|방안|제안|추천|다음 단계",
});

/** Weaker: makes a point without a cause. */
export const POINT = anyOf({
  en: "so that|note that|important(?:ly)?|never|must|instead of|only (?:when|if|works?)|the key|already|regardless of|unless|rather than|always",
  de: "damit|wichtig|niemals?|muss|müssen|statt|nur wenn|immer|bereits",
  fr: "afin que?|important|jamais|doit|au lieu d|seulement si|toujours|déjà",
  es: "para que|importante|nunca|debe|en lugar de|solo si|siempre|ya",
  pt: "para que|importante|nunca|deve|em vez de|só se|sempre|já",
  it: "affinché|importante|mai|deve|invece di|solo se|sempre|già",
  ru: "чтобы|важно|никогда|должен|должна|должно|вместо|только если|всегда|уже",
  zh: "必须|注意|重要|只有|而不是|总是|永远|已经",
  ja: "必ず|注意|重要|だけ|代わりに|常に|すでに",
  ko: "반드시|주의|중요|대신|항상|이미|해야",
});

/** Warns of something that surprises. */
export const TRAP = anyOf({
  en: "gotchas?|caveats?|beware|be careful|pitfalls?|surprising(?:ly)?|watch out|silently|counter-?intuitive(?:ly)?|footgun|unexpectedly|edge case|race condition|easy to miss|does not actually|doesn't actually|won't work|cannot be",
  de: "vorsicht|achtung|stolperfalle|überraschend(?:erweise)?|stillschweigend|unerwartet",
  fr: "attention|piège|surprenant|silencieusement|étonnamment|inattendu",
  es: "cuidado|ojo|trampa|sorprendentemente|silenciosamente|inesperadamente",
  pt: "cuidado|armadilha|surpreendentemente|silenciosamente|inesperadamente",
  it: "attenzione|trappola|sorprendentemente|silenziosamente|inaspettatamente",
  ru: "осторожно|внимание|ловушка|неожиданно|молча|подвох",
  zh: "小心|陷阱|坑|意外|静默|竟然",
  ja: "注意が必要|落とし穴|罠|意外|暗黙",
  ko: "조심|함정|뜻밖|의외|조용히",
});

/** Said without being sure. */
export const HEDGED = anyOf({
  en: "might|may be|may have|maybe|perhaps|probably|likely|possibly|presumably|could be|i (?:suspect|think|believe|guess|assume)|my (?:guess|hypothesis)|seems?|appears? to|not sure|unclear|unconfirmed",
  de: "vermutlich|wahrscheinlich|vielleicht|womöglich|möglicherweise|scheint|ich (?:glaube|vermute|denke)",
  fr: "peut-être|probablement|sans doute|il semble|semble|je (?:pense|crois|suppose)",
  es: "quizás?|probablemente|tal vez|parece|posiblemente|creo que|supongo",
  pt: "talvez|provavelmente|possivelmente|parece|acho que|suponho",
  it: "forse|probabilmente|sembra|possibilmente|credo che|penso che|suppongo",
  ru: "возможно|вероятно|наверное|похоже|кажется|видимо|может быть|думаю|предполагаю",
  zh: "可能|也许|也許|大概|或许|似乎|好像|估计|恐怕",
  ja: "かもしれ|おそらく|たぶん|多分|思われ|でしょう|らしい|と思い",
  ko: "아마|것 같|듯하|듯합|지도 모|추정|보입니다",
});

/** Reports something as done. */
export const DONE = anyOf({
  en: "added|changed|updated|fixed|created|removed|renamed|moved|replaced|refactored|implemented|now (?:\\w+s|shows?|uses?|returns?)|pass(?:es|ed)?|committed|merged|works?|extracted|simplified|deleted|wired|converted|introduced|switched",
  de: "hinzugefügt|geändert|behoben|entfernt|umbenannt|ersetzt|erstellt|angelegt|funktioniert|aktualisiert|eingebaut",
  fr: "ajouté\\w*|corrigé\\w*|modifié\\w*|supprimé\\w*|créé\\w*|renommé\\w*|remplacé\\w*|fonctionne",
  es: "agregué|añadí|añadido|corregí|corregido|cambié|eliminé|creé|renombré|actualicé|funciona",
  pt: "adicionei|adicionado|corrigi|corrigido|mudei|removi|criei|renomeei|atualizei|funciona",
  it: "aggiunto|corretto|modificato|rimosso|creato|rinominato|aggiornato|funziona",
  ru: "добавил\\w*|исправил\\w*|изменил\\w*|удалил\\w*|создал\\w*|переименовал\\w*|обновил\\w*|работает|готово",
  zh: "已|修复|修復|完成|添加了|新增|删除了|更新了",
  ja: "追加|修正|しました|削除|変更|完了",
  ko: "추가했|수정했|변경했|삭제했|완료|고쳤",
});

/** Says what is still to be done. */
export const NEXT = anyOf({
  en: "next steps?|next,? (?:we|you|i)|remaining (?:work|steps?|tasks?|items)|todo:|still (?:needs?|have|has) to|still (?:missing|open|todo|to do)|follow-?up (?:work|steps?|tasks?)|left to do|not (?:yet )?(?:done|implemented|covered|wired)|you(?:'ll| will)? (?:need|may want|might want) to",
  de: "nächste[rn]? schritte?|noch offen|bleibt noch|steht noch aus|muss noch|fehlt noch|als nächstes",
  fr: "prochaines étapes|reste à|à faire|il faudra|encore à",
  es: "próximos pasos|queda por|falta por|pendiente|por hacer",
  pt: "próximos passos|falta|pendente|por fazer|ainda precisa",
  it: "prossimi passi|resta da|manca ancora|da fare",
  ru: "следующие шаги|осталось|ещё нужно|еще нужно|далее нужно",
  zh: "下一步|剩下|还需要|還需要|待办|尚未",
  ja: "次のステップ|残り|まだ.{0,12}必要|今後の課題|未対応",
  ko: "다음 단계|남은|아직.{0,12}필요|해야 할",
});

/** Offers and asks: the decision is the user's, nothing is planned. */
export const OFFER = anyOf({
  en: "would you like|do you want|want me to|shall i|should (?:i|we)|let me know|happy to|if you(?:'d)? (?:like|want|prefer)|i can (?:also )?(?:help|do|add|make|implement|create|proceed)|ready (?:to|when|for)|feel free|say the word",
  de: "möchtest du|soll ich|sollen wir|möchten sie|sag bescheid|wenn du (?:magst|willst|möchtest)|gerne kann ich",
  fr: "voulez-vous|veux-tu|souhaitez-vous|dois-je|si tu veux|si vous voulez|n'hésite",
  es: "quieres que|te gustaría|quiere que|debería|si quieres|avísame",
  pt: "você quer|quer que|gostaria|devo|se quiser|me avise",
  it: "vuoi che|vorresti|devo|se vuoi|fammi sapere",
  ru: "хотите|хочешь|нужно ли мне|мне сделать|если хотите|дайте знать",
  zh: "是否需要|要不要|需要我|如果你(?:想|需要)|告诉我",
  ja: "しましょうか|ますか|ご希望|よろしければ|教えてください",
  ko: "할까요|드릴까요|원하시면|알려 ?주세요",
});

/** Opens a sentence that only nods, plans, points or praises. Anchored by its user. */
export const EMPTY_OPENERS: Table = {
  en: "(?:perfect|great|excellent|good|nice|awesome|wonderful|done|ok(?:ay)?|sure|absolutely|certainly|understood|got it|of course|thanks?|thank you|sorry|apologies|hmm|ah|let'?s|makes sense|fair (?:point|enough)|exactly|agreed|you'?re (?:absolutely )?(?:right|welcome)|good (?:question|point|catch|call|idea)|great (?:question|point|catch)|all (?:done|set|good)|no (?:changes? (?:needed|required)|problem|worries)|nothing (?:to|else)|both agents?|i like|i love)|i'?ll|i will|i'?m going to|i'?m (?:now )?(?:ready|happy|leaning)|let me|now (?:let me|let'?s|i)|i (?:can )?see|i understand|i (?:think i )?(?:'ve )?found (?:an?|the|it|some)|i was (?:wrong|mistaken)|(?:yes|no),? (?:that|i)|would you|do you|should i|shall i|want me|let me know|feel free|if you'?d like|ready to|here(?:'s| is| are)|the following|below|looking at|based on (?:my|the|research)|i(?:'ve| have)|i (?:read|traced|reviewed|looked|checked|explored|analy[sz]ed|completed|finished|successfully|gathered|investigated|updated|made|added|replied)|i think i understand|the (?:explore|review|research|sub) ?agent|the reviewer has|i can (?:use|help|also|do)|i need to|(?:in )?summary|sounds good|lgtm|the (?:branch|pr|changes?|work|tree) (?:is|are) (?:now )?(?:ready|staged|clean|done|complete|pushed|up to date)|the (?:review|report|refactoring|task|implementation|analysis|research|plan) (?:is|has been) (?:now )?(?:complete|done|written|finished|saved)|task \\d+ is|replied to|generated with|working tree|everything|all (?:tests?|checks?|changes?)|tests? (?:all )?pass|lint|mise run|without (?:more|further)",
  de: "perfekt|super|gut|alles klar|verstanden|fertig|erledigt|danke|entschuldigung|ich (?:werde|schaue|habe (?:jetzt|nun|mir))|lass(?:t)? (?:mich|uns)|hier (?:ist|sind)|möchtest du|soll ich|du hast recht|genau",
  fr: "parfait|super|bien|d'accord|compris|terminé|merci|désolé|je vais|voici|laissez-moi|voulez-vous|exactement|tu as raison|vous avez raison",
  es: "perfecto|excelente|bien|vale|entendido|listo|gracias|perdón|voy a|aquí (?:está|tienes)|déjame|quieres|exacto|tienes razón",
  pt: "perfeito|ótimo|certo|entendi|pronto|obrigado|desculpe|vou|aqui (?:está|estão)|deixe-me|quer|exato|você tem razão",
  it: "perfetto|ottimo|bene|capito|fatto|grazie|scusa|vado|ecco|lasciami|vuoi|esatto|hai ragione",
  ru: "отлично|хорошо|понял|понятно|готово|спасибо|извините|сейчас|вот|давайте|вы правы|точно",
  zh: "好的|完成|明白|没问题|謝謝|谢谢|抱歉|让我|我将|以下|你说得对|您说得对",
  ja: "了解|承知|はい|完了しました|ありがとう|すみません|では|それでは|以下",
  ko: "네|알겠습니다|완료|감사|죄송|이제|다음은|맞습니다",
};
