// What takes the words of a sign back: each is looked for in the clause before them, or the sentence behind them.

/** A few words, of one clause and one half of an "and". */
const FEW = String.raw`(?:\s+(?!(?:and|or)\b)[\w'/…-]+){0,5}\s*$`;

/** Before: "there is no", "nothing that I", "zero". Some more words may stand between. */
export const DENIED = new RegExp(
  String.raw`(?:\b(?:no|not|never|none|nothing|nobody|without|zero|0|neither|nor|any|free of|instead of|rather than|lack of|absence of|avoid\w*)|n't)${FEW}`,
  'i',
);

const PUT_RIGHT =
  '(?:fix|resolv|remov|replac|address|clear|delet|dropp|correct|repair|solv|unblock|implement|complet|finish|clos|eliminat|handl|tackl|convert|clean|answer|mend)';

/** Before: "I removed the last", "by fixing both". */
export const PUT_RIGHT_BEFORE = new RegExp(
  String.raw`(?<!\b(?:not|never|be|to)\s(?:yet\s)?)(?<!n't\s)\b${PUT_RIGHT}(?:ed|es|s|ing)\b${FEW}`,
  'i',
);

/** Behind: "are fixed", "has been removed", "which I repaired", "– resolved", "; fixing", "no longer", "now they pass". */
export const PUT_RIGHT_AFTER = new RegExp(
  [
    String.raw`(?:\b(?:is|are|was|were|been|got|since|I|we|I've|we've|later)(?:\s+(?:now|all|both|since|also|already|been|have|has|had|then|successfully|fully|just))*\s+|(?:\b(?:now|all|already)|[(–—→>:;,.|✅-])\s*(?:(?:now|since|already|all)\s+)?)(?:${PUT_RIGHT}ed|done|gone|met|green|clean|passing|merged)\b`,
    String.raw`[;:,.–—-]\s*(?:now\s+)?(?:fixing|repairing)\b`,
    String.raw`\bno longer\b`,
    String.raw`\b(?:now|all|both)(?:\s+(?:it|they|all|everything|now|of them))*\s+(?:pass|passes|passed|work|works)\b`,
  ].join('|'),
  'i',
);

/** Behind: ": none", "| 0 |". */
export const NOTHING_AFTER =
  /^[\s|:=()–—-]*(?:(?:none(?! of)|nothing|nobody|nil|n\/a|zero|0(?![.\d]))\b|no\s*(?:[.,|)]|$))/i;

/** Behind: the task did not ask for it. */
export const NOT_ASKED_AFTER =
  /\b(?:out of scope|outside (?:of )?(?:the|this)|beyond (?:the|this)|not part of|in a follow-up|for a follow-up|separate (?:task|issue|ticket|pr)|on purpose|by design|as (?:specified|requested|required))\b/i;

/** Before: what was, and is not said to be so still. */
export const PAST =
  /\b(?:previously|formerly|earlier|initially|originally|at first|at the start|used to|was|were|had|once)\b/i;

/** Before: what would be, and is not said to be so. */
export const SUPPOSED =
  /\b(?:if|when|whenever|wherever|unless|whether|in case|until|would|could|might|may|should|must|so that|ma[kd]es? sure|ensur\w+|prevents?)\b/i;

/** Before: a program does, shows or looks for it. */
export const OF_A_PROGRAM =
  /\b(?:check(?:s|ed|ing)?|search(?:ed|es|ing)?|grep\w*|scan\w*|look(?:s|ed|ing)? for|detect\w*|flag(?:s|ged)|reports?|reject\w*|warns?|match(?:es|ed)|prints?|returns?|throws?|raises?|logs?|shows?|displays?|says?|message|lint\w*|rule|responds?|documents?|documented|describes?|explains?)\b/i;
