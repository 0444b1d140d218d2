/** Words that say nothing about what is looked for, by language, folded as the index folds. */

const LISTS = {
  english: `a an the and or but if then else of to in on at by for from with without about into onto over after before
    between during through is are was were be been being am do does did done doing have has had having i me my mine myself we
    our ours us you your yours he him his she her hers it its they them their theirs this that these those there here
    what which who whom whose when where why how can could will would shall should may might must cannot not no nor so than
    too very just as also any some such own same up down out off again further once all both each few more most other
    only until while because let s t d m ll re ve dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt
    shouldnt hasnt havent hadnt im ive id ill youre youve hes shes theyre theyve weve thats whats whos wheres hows
    please`,
  german: `der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als wie wo was wer wen wem wann
    warum weshalb wieso welche welcher welches ist sind war waren bin bist sei wird werden wurde wurden worden hat haben
    habe hatte hatten ich du er sie es wir ihr mich mir dich dir uns euch ihm ihn ihnen mein meine dein deine sein seine
    unser unsere nicht kein keine keinen mit ohne von vom zu zum zur in im an am auf aus bei beim fur durch gegen um uber
    unter vor nach seit bis zwischen dass daß ob weil da hier dort dies diese dieser dieses diesen jene jener man auch nur
    noch schon sehr so doch mal eben also kann konnen konnte soll sollen sollte muss mussen musste darf will wollen bitte`,
  french: `le la les l un une des du de d et ou mais si que qui quoi dont ou quand comment pourquoi quel quelle quels quelles
    est sont etait etaient etre ete suis es sommes etes ai as a avons avez ont avait avaient avoir je j tu il elle on nous vous
    ils elles me m te t se s lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce c cet cette ces cela ca
    ne n pas plus moins dans en sur sous avec sans pour par vers chez entre au aux y aussi tres bien comme donc car ni
    fait faire faut peut peux qu`,
  spanish: `el la los las lo un una unos unas y e o u pero si que quien quienes cual cuales cuando como donde porque por
    es son era eran ser sido soy eres somos fue fueron esta estan estaba estar he ha han hemos habia haber hay yo tu
    usted ustedes nosotros ellos ellas ella me te se le les nos os mi mis tus su sus nuestro nuestra este estos estas
    ese esa eso esos esas aquel no ni de del a al en con sin para sobre entre hasta desde muy mas menos ya tambien solo
    asi pues hace hacer puede puedo`,
} as const;

const SETS = Object.values(LISTS).map((list) => new Set(list.split(/\s+/)));
const ENGLISH = SETS[0] ?? new Set<string>();

/**
 * The stop words of the language that most of the folded words speak, English where it is as likely as another: a word
 * that is nothing in one language (`die`, `son`) may be all in another.
 */
export function stopWordsFor(words: readonly string[]): ReadonlySet<string> {
  const counts = SETS.map((set) => words.filter((word) => set.has(word)).length);
  const most = Math.max(...counts);
  return SETS[counts.indexOf(most)] ?? ENGLISH;
}
