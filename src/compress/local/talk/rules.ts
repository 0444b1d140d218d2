/** Telling a rule, a decision or a correction from a mere request, by how its sentence opens or ends. */

const LEAD =
  /^(?:(?:ok(?:ay)?|and|also|but|so|btw|by the way|oh|hey|please|pls|hmm+|ah|well|actually|one last thing|bitte|por favor|s'il (?:te|vous) plaît|und|auch|aber|y|et|mais|pero|e|и|а)[,:.]?\s+)*/i;

/** "Keep this": said to the memory itself. */
const REMEMBER =
  /^(?:remember\s*[:,-]|remember (?:that|to|this|for|we|i|the|our|not|never|always)\b|(?:don'?t|never|do not) forget\b|(?:note to self|make a note)\b|merk(?:e|t)?(?: dir| euch)?\b|denk(?:e|t)? daran\b|vergiss nicht\b|recuerda(?:d)?\b|no olvides\b|souviens[- ]toi\b|rappelle[- ]toi\b|retiens\b|n'oublie(?:z)? pas\b|mémorise\b|lembre(?:-se)?\b|não (?:se )?esqueça\b|ricorda(?:ti)?\b|non dimenticare\b|(?:запомни|не забудь)(?![\p{L}])|(?:请|請)?(?:记住|記住|记得|記得)|기억해)|(?:覚えて(?:おいて|ください|ね|。|$)|忘れないで)/iu;

/** Rules and decisions that open a sentence. */
const RULE =
  /^(?:from now on\b|going forward\b|in (?:the )?future,|(?:you (?:should|must) )?always (?!\p{L}+[^s\P{L}]s\b)|(?:you (?:should|must) )?never (?!mind|ever mind|\p{L}+(?:[^s\P{L}]s|ed)\b|seen|had|been|got|was|did|heard|knew|thought)|we (?:always|never) want\b|we want (?:to )?(?:always|never)\b|(?:don'?t|do not) ever\b|we(?:'ve| have)? decided\b|(?:the|our) decision is\b|i(?:'d| would)? (?:always )?(?:prefer|rather) (?!(?:that|this|it|those|option|the (?:first|second|last|latter|former|other))\b|\d)|ab (?:jetzt|sofort)\b|von nun an\b|künftig\b|immer (?!noch|wieder)|(?:nie|niemals) |wir haben (?:uns )?(?:entschieden|beschlossen)|ich (?:bevorzuge|möchte (?:immer|lieber))|de ahora en adelante\b|a partir de ahora\b|siempre |nunca |hemos decidido\b|decidimos\b|prefiero\b|désormais\b|à partir de maintenant\b|dorénavant\b|toujours |jamais |(?:nous avons|on a) décidé\b|je préfère\b|a partir de agora\b|daqui em diante\b|sempre |prefiro\b|d'ora in poi\b|preferisco\b|abbiamo deciso\b|(?:отныне|теперь всегда|всегда|никогда|мы решили|я предпочитаю)\s|从现在(?:开始|起)|以后(?:都|请|要|不)|总是|始终|永远不要|绝不要?|我们决定|我们決定|我(?:更)?(?:喜欢|偏好|倾向)|今後は|これからは|常に|必ず|決して|앞으로는?|항상|절대)/iu;
const RULE_ENDING =
  /\b(?:from now on|going forward|on purpose|ab jetzt|in zukunft|de ahora en adelante|a partir de ahora|à partir de maintenant|d'ora in poi|a partir de agora)[.!]?$|(?:ことにし(?:た|ました)|に決め(?:た|ました)|のほうが好き(?:です)?|を好みます|기로 했(?:다|습니다)|с этого момента)[。.]?$/iu;

/** Why the user's side made it so. */
const OUR_REASON =
  /\b(?:that'?s why we|(?:is|was) by design|we (?:intentionally|deliberately))\b|特意|意図的に/i;

/** Names only what stood in somebody's list. */
const NOT_TELLING =
  /^(?:(?:no|nope|let'?s|we|should|please|just|go|use|keep|do|take|try|with)[,.]?\s+)*(?:that|this|it|those|these|them|(?:the )?(?:first|second|last|latter|former|other))(?: one| way| instead| then| now| please)*[.!]?$|\b(?:options?|approach|number|point)\s+(?:\d|[a-d]\b)/i;
/** For the task at hand alone. */
const FOR_NOW =
  /\b(?:(?:give|put|check|call|make|do|add|write) (?:it|this|them)|yet|for now|right now|just now|at the moment|this time|fix anything|change anything|do anything|write (?:any )?code|commit (?:it|this|anything)|worry|bother|know|think|see|understand|remember|get why|have to|need to|forget|want to|like)\b/i;
/** "Not this way but that": what was proposed is turned down, or another thing put in its place. */
const CORRECTION =
  /^(?:no|nope|nah|nein|non|não|нет|いや|いいえ|不对?|不是|아니)[,.!、，]?\s*(?:please\s+)?(?:use|let'?s|we|keep|don'?t|do not|it (?:should|must)|this (?:should|must)|that (?:should|must)|i want|i'd|revert|never|instead|just|make|put|rename|call|remove|drop|delete|add|leave|only|stop|move|ignore|the|nimm|nutz\w*|verwende|wir|usa|utiliza|utilise|use|usa|usiamo|используй|改用|用|使って|を使|대신)/iu;
const INSTEAD =
  /^(?:use|let'?s (?:use|go with|keep|stick (?:with|to)|call (?:it|this|them)|rename)|go with|stick (?:with|to)|keep|rename|call it|we (?:use|should use)|nimm|nutze|verwende|usa|utiliza|utilise|usiamo|используй|改用|请用|用)\s.{6,}/iu;
const INSTEAD_WORD =
  /\b(?:instead(?: of)?|rather than|not|statt(?:dessen)?|anstelle|sondern|en lugar de|en vez de|plutôt|au lieu de?|em vez de|invece(?: di)?|вместо)\b|而不是|代替|代わりに|ではなく|대신/iu;
const FORBIDDEN =
  /^(?:please\s+)?(?:don'?t|do not|stop|avoid|no more|we (?:don'?t|do not) want|we should(?:n'?t| not| never)|bitte (?:kein\w*|nicht)|kein\w*|hör auf|no (?:uses|hagas|quiero)|n(?:e |')\S+ pas|não (?:use|faça)|non (?:usare|fare)|не (?:используй|делай|надо)|不要|别|別|请勿|하지 ?마)\s*.{8,}/iu;

/** Longer sentences are stories. */
const CORRECTION_MAX = 240;

export function asksToRemember(sentence: string): boolean {
  return REMEMBER.test(sentence.replace(LEAD, ""));
}

export function isRule(sentence: string): boolean {
  const bare = sentence.replace(LEAD, "");
  return (
    RULE.test(bare) || RULE_ENDING.test(bare) || (OUR_REASON.test(bare) && bare.length <= CORRECTION_MAX)
  );
}

/** A sentence that turns down what was done or says what to use in its place. */
export function isCorrection(sentence: string): boolean {
  const bare = sentence.replace(LEAD, "");
  if (bare.length > CORRECTION_MAX || /[?？:：]$/.test(bare) || NOT_TELLING.test(bare)) return false;
  const isLong = bare.split(/\s+/).length >= 5 || /[\u3040-\u9fff\uac00-\ud7af]{6}/.test(bare);
  if (!isLong) return false;
  if (CORRECTION.test(bare)) return !FOR_NOW.test(bare);
  if (INSTEAD.test(bare)) return INSTEAD_WORD.test(bare);
  return FORBIDDEN.test(bare) && !FOR_NOW.test(bare);
}
