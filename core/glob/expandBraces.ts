const ALTERNATIVES_MAX = 64
const DEPTH_MAX = 8

/** The texts without braces that a glob stands for, or what is wrong with its braces. */
type ExpandedBraces = { ok: true; texts: string[] } | { ok: false; problem: string }

type Reading = { texts: string[]; next: number; end: '' | ',' | '}' }

/**
 * Writes out the alternatives `{a,b}` of a glob, nested ones too.
 *
 * At most 64 texts and eight levels: a pattern that would stand for more is refused before it is built, so that no
 * short text can become a huge policy. Braces inside brackets are plain characters.
 */
export function expandBraces(glob: string): ExpandedBraces {
  const reading = readSequence(glob, 0, 0)
  if (typeof reading === 'string') return { ok: false, problem: reading }
  return { ok: true, texts: reading.texts }
}

function readSequence(glob: string, from: number, depth: number): Reading | string {
  if (depth > DEPTH_MAX) return `nests braces deeper than ${DEPTH_MAX} levels`
  let texts = ['']
  let at = from
  while (at < glob.length) {
    const character = glob.charAt(at)
    if (depth > 0 && (character === ',' || character === '}')) return { texts, next: at + 1, end: character }
    if (character === '}') return 'has a } without its {'
    if (character !== '{') {
      const end = character === '[' ? endOfBrackets(glob, at) : at + 1
      const piece = glob.slice(at, end)
      texts = texts.map((text) => text + piece)
      at = end
      continue
    }
    const choice = readChoice(glob, at + 1, depth + 1)
    if (typeof choice === 'string') return choice
    if (texts.length * choice.texts.length > ALTERNATIVES_MAX) return tooMany
    texts = texts.flatMap((text) => choice.texts.map((alternative) => text + alternative))
    at = choice.next
  }
  return depth > 0 ? 'has a { without its }' : { texts, next: at, end: '' }
}

const tooMany = `stands for more than ${ALTERNATIVES_MAX} alternatives`

function readChoice(glob: string, from: number, depth: number): Reading | string {
  const texts: string[] = []
  let next = from
  for (;;) {
    const reading = readSequence(glob, next, depth)
    if (typeof reading === 'string') return reading
    texts.push(...reading.texts)
    if (texts.length > ALTERNATIVES_MAX) return tooMany
    next = reading.next
    if (reading.end === '}') return { texts, next, end: '' }
  }
}

function endOfBrackets(glob: string, from: number): number {
  const close = glob.indexOf(']', from + 2)
  return close < 0 ? glob.length : close + 1
}
