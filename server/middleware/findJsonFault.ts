/** Where a text stops being JSON, and what should have been there. */
export type JsonFault = {
  /** Both from 1; columns are UTF-16 code units. */
  line: number
  column: number
  /** Null if the text ends too early. */
  expected: string | null
}

/** What may come next, and how the message names it. */
const EXPECTED = {
  value: 'a value',
  valueOrEnd: 'a value or `]`',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes or `}`',
  colon: '`:`',
  nextMember: '`,` or `}`',
  nextItem: '`,` or `]`',
  nothing: 'nothing more',
} as const

type State = keyof typeof EXPECTED

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y
const SPACE = /[ \t\n\r]*/y

/**
 * Finds where a text stops being JSON; null if it is JSON.
 *
 * The parser's own message quotes the text, which may be a password; this quotes nothing of it.
 * Source: RFC 8259.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let at = endOf(SPACE, text, 0) ?? 0
  const stateAfterValue = (): State => {
    const container = open.at(-1)
    return container === undefined ? 'nothing' : container === '{' ? 'nextMember' : 'nextItem'
  }
  while (at < text.length) {
    const character = text[at]
    const next = nextState(state, character)
    if (next === 'close') {
      open.pop()
      at += 1
      state = stateAfterValue()
    } else if (next === 'open') {
      open.push(character === '{' ? '{' : '[')
      at += 1
      state = character === '{' ? 'nameOrEnd' : 'valueOrEnd'
    } else if (next === 'scalar') {
      if (character === '"') {
        const string = readString(text, at)
        if (string.fault !== undefined) return locate(text, string.end, string.fault)
        at = string.end
      } else {
        const end = endOf(LITERAL, text, at) ?? endOf(NUMBER, text, at)
        if (end === null) return locate(text, at, EXPECTED[state])
        at = end
      }
      state = isName(state) ? 'colon' : stateAfterValue()
    } else if (next === null) return locate(text, at, EXPECTED[state])
    else {
      at += 1
      state = next
    }
    at = endOf(SPACE, text, at) ?? at
  }
  return state === 'nothing' ? null : locate(text, at, null)
}

function isName(state: State): boolean {
  return state === 'name' || state === 'nameOrEnd'
}

/** What a character does in a state; null if it may not stand there. */
function nextState(state: State, character: string | undefined): State | 'open' | 'close' | 'scalar' | null {
  switch (state) {
    case 'value':
    case 'valueOrEnd':
      if (character === '{' || character === '[') return 'open'
      if (character === ']') return state === 'valueOrEnd' ? 'close' : null
      return 'scalar'
    case 'name':
    case 'nameOrEnd':
      if (character === '}') return state === 'nameOrEnd' ? 'close' : null
      return character === '"' ? 'scalar' : null
    case 'colon':
      return character === ':' ? 'value' : null
    case 'nextMember':
      return character === ',' ? 'name' : character === '}' ? 'close' : null
    case 'nextItem':
      return character === ',' ? 'value' : character === ']' ? 'close' : null
    case 'nothing':
      return null
  }
}

/** The end of a string, or where it is faulty; `fault` is null if the text ends in it. */
function readString(text: string, start: number): { end: number; fault?: string | null } {
  let at = start + 1
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '"') return { end: at + 1 }
    if (character < ' ') return { end: at, fault: 'control characters in strings to be escaped' }
    if (character !== '\\') at += 1
    else {
      const end = endOf(ESCAPE, text, at)
      if (end === null) return { end: at, fault: 'an escape sequence of JSON' }
      at = end
    }
  }
  return { end: at, fault: null }
}

/** Where the match of a sticky pattern at a position ends; null without one. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

function locate(text: string, at: number, expected: string | null): JsonFault {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1, expected }
}
