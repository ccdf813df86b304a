/**
 * The naive twin of the glob matcher: plain backtracking over the text of one glob, exponential and obvious.
 *
 * Braces are expanded first; `*` is one or more characters except slash, `**` as a whole segment any number of segments.
 */
export function matchGlobNaively(glob: string, text: string): boolean {
  return writtenOut(glob).some((pattern) => matchSegments(pattern.split('/'), text.split('/')))
}

function writtenOut(glob: string): string[] {
  const close = outsideBrackets(glob, '}')
  if (close < 0) return [glob]
  const open = lastOutsideBrackets(glob, '{', close)
  const inner = splitChoices(glob.slice(open + 1, close))
  return inner.flatMap((choice) => writtenOut(glob.slice(0, open) + choice + glob.slice(close + 1)))
}

function outsideBrackets(text: string, sign: string): number {
  let isInside = false
  for (let at = 0; at < text.length; at += 1) {
    if (!isInside && text[at] === sign) return at
    if (!isInside && text[at] === '[') isInside = true
    else if (isInside && text[at] === ']') isInside = false
  }
  return -1
}

function lastOutsideBrackets(text: string, sign: string, before: number): number {
  let found = -1
  let isInside = false
  for (let at = 0; at < before; at += 1) {
    if (!isInside && text[at] === sign) found = at
    if (!isInside && text[at] === '[') isInside = true
    else if (isInside && text[at] === ']') isInside = false
  }
  return found
}

function splitChoices(text: string): string[] {
  const choices = ['']
  let isInside = false
  for (const character of text) {
    if (character === ',' && !isInside) {
      choices.push('')
      continue
    }
    if (character === '[') isInside = true
    if (character === ']') isInside = false
    choices[choices.length - 1] += character
  }
  return choices
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return segments.length === 0
  if (first === '**') {
    return segments.concat('').some((_, taken) => matchSegments(rest, segments.slice(taken)))
  }
  const [segment, ...others] = segments
  return segment !== undefined && matchCharacters(first, [...segment]) && matchSegments(rest, others)
}

function matchCharacters(pattern: string, text: readonly string[]): boolean {
  if (pattern === '') return text.length === 0
  const [first = '', ...rest] = [...pattern]
  const [character, ...others] = text
  if (first === '*') {
    return text.some((_, index) => matchCharacters(rest.join(''), text.slice(index + 1)))
  }
  if (character === undefined) return false
  if (first === '?') return matchCharacters(rest.join(''), others)
  if (first === '[') {
    const close = pattern.indexOf(']', 2)
    const members = pattern.slice(1, close)
    return isMember(members, character) && matchCharacters(pattern.slice(close + 1), others)
  }
  return first === character && matchCharacters(rest.join(''), others)
}

function isMember(members: string, character: string): boolean {
  const isNegated = members.startsWith('!') && members.length > 1
  const isListed = (set: readonly string[]): boolean => {
    const [first, dash, last, ...rest] = set
    if (first === undefined) return false
    if (dash === '-' && last !== undefined) {
      return (first <= character && character <= last) || isListed(rest)
    }
    return first === character || isListed(set.slice(1))
  }
  return isListed([...(isNegated ? members.slice(1) : members)]) !== isNegated
}
