import fc from 'fast-check'

/** Paths of denied handlers, as a caller without intent would spell them. */
const DENIED_PATHS = ['/secret', '/secret/1', '/secret/a/b', '/admin', '/keys/1', '/keys/a%2Fk', '/caf%C3%A9']

/** What can stand before the path: the root, an authority, and origins that parsers of URLs read differently. */
const ORIGINS = [
  ...[
    'http://shop.test',
    'HTTP://SHOP.test:8080',
    'https://user:pass@shop.test',
    'foo://shop.test',
    '//shop.test',
  ],
  ...[
    'http://',
    'http://@',
    'http://shop.test:99999',
    'http://c:',
    'file://c:',
    'file://',
    '//user@shop.test',
  ],
]
/** What can be appended to a segment or to the path. */
const PARAMETERS = [
  ';',
  ';v=1',
  ';a=b;c',
  '%3b',
  '%3Bv',
  ';/',
  '?',
  '?x=1',
  '?/public',
  '#',
  '#/public',
  '%3fx',
  '%23',
]
const SLASHES = [
  '//',
  '///',
  '%2f',
  '/%2F',
  '%252f',
  '/./',
  '/%2e/',
  '/x/../',
  '/x/%2e%2e/',
  '/x/..;/',
  '\\',
  '/;/',
]
const DETOURS = ['/..', '/../public', '/%2e%2e/public', '/.', '/%2E', '/..;', '/../../secret', '/.%2e/']
const NOISE = [
  ...'/;?#%.:@&=+$,!~*\'"<>[]{}|^`_-aZ0',
  '%00',
  '%20',
  '%25',
  '%zz',
  '%ff',
  '%C5%BF',
  '%E2%84%AA',
  '%C2%A0',
]

/** Changes one spelling into another, guided by random numbers. */
type Change = (spelling: string, random: Random) => string
type Random = { choose<Value>(values: readonly Value[]): Value; below(count: number): number }

const CHANGES: readonly Change[] = [
  (spelling, random) => changeLetters(spelling, random, (letter) => letter.toUpperCase()),
  (spelling, random) => changeLetters(spelling, random, (letter) => encode(letter, random)),
  (spelling, random) =>
    changeLetters(spelling, random, (letter) => encode(letter, random).replace('%', '%25')),
  (spelling) => spelling.replace(/k/gi, '%e2%84%aa'),
  (spelling) => spelling.replace('caf%C3%A9', 'CAF%C3%89'),
  (spelling, random) => changeSlash(spelling, random, random.choose(SLASHES)),
  (spelling, random) => changeSlash(spelling, random, `${random.choose(PARAMETERS)}/`),
  (spelling, random) => spelling + random.choose(['/', '//', '/%2f', '%2F']),
  (spelling, random) => spelling + random.choose(PARAMETERS),
  (spelling, random) => spelling + random.choose(DETOURS),
  (spelling, random) =>
    `/${spelling}`.replace('/', random.choose(['/', '//', '/.', '/public/..', '/%2e/', '/;v'])),
  (spelling, random) => (spelling.startsWith('/') ? random.choose(ORIGINS) + spelling : spelling),
  (spelling, random) => insert(spelling, 1 + random.below(spelling.length), random.choose(NOISE)),
]

/**
 * Generates request targets that some router may take for a denied path: one to four random changes of such a path.
 *
 * Most still lead there in one framework or another; the others show that a refusal is no accident of the spelling.
 */
export function arbitrarySpelling(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...DENIED_PATHS),
      fc.array(
        fc.tuple(fc.nat(CHANGES.length - 1), fc.array(fc.nat(9_999), { minLength: 12, maxLength: 12 })),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    )
    .map(([path, changes]) =>
      changes.reduce((spelling, [index, numbers]) => {
        const change = CHANGES[index]
        return change === undefined ? spelling : change(spelling, randomOf(numbers))
      }, path),
    )
}

function randomOf(numbers: readonly number[]): Random {
  let at = 0
  const below = (count: number) => (numbers[at++ % numbers.length] ?? 0) % Math.max(count, 1)
  return { below, choose: (values) => values[below(values.length)] as (typeof values)[number] }
}

/** Changes about every third letter of the path, but no letter of an escape. */
function changeLetters(spelling: string, random: Random, change: (letter: string) => string): string {
  return spelling.replace(/%[0-9a-f]{2}|[a-z]/gi, (text) =>
    text.length > 1 || random.below(3) > 0 ? text : change(text),
  )
}

function encode(letter: string, random: Random): string {
  const digits = letter.charCodeAt(0).toString(16)
  return `%${random.below(2) === 0 ? digits : digits.toUpperCase()}`
}

function changeSlash(spelling: string, random: Random, by: string): string {
  const slashes = [...spelling.matchAll(/\//g)].map(({ index }) => index)
  const at = random.choose(slashes)
  return spelling.slice(0, at) + by + spelling.slice(at + 1)
}

function insert(spelling: string, at: number, text: string): string {
  return spelling.slice(0, at) + text + spelling.slice(at)
}
