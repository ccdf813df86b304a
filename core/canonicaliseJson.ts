/** Deeper values are refused: a recursion without a bound is a stack overflow that a stranger can cause. */
const DEPTH_MAX = 1_000

/**
 * The one canonical JSON text of a value, so that equal values give equal bytes and equal hashes.
 *
 * Numbers are written as ECMAScript writes them and members are sorted by the UTF-16 code units of their names.
 * What JSON cannot hold is refused instead of dropped, because a hash over a silently shortened value would
 * vouch for something else: undefined (also as a member or a hole), functions, symbols, bigint, NaN and the
 * infinities, lone surrogates, objects that are not plain (a Date, a Map), nesting beyond 1,000 levels.
 *
 * @throws Error that names the offence and its path, such as `$.a[2]: NaN is not a finite number`.
 *
 * Source: RFC 8785; RFC 7493 for the refusal of lone surrogates.
 */
export function canonicaliseJson(value: unknown): string {
  try {
    return write(value, 0)
  } catch (error) {
    throw error instanceof Refusal
      ? new Error(`canonical JSON: ${error.describe()}`, { cause: error })
      : error
  }
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Refusal(`${value} is not a finite number`)
    return `${value}`
  }
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'object') throw new Refusal(`${typeof value} has no JSON form`)
  if (depth === DEPTH_MAX) throw new Refusal(`nested deeper than ${DEPTH_MAX} levels`)
  if (Array.isArray(value)) return writeArray(value, depth + 1)
  if (isPlainObject(value)) return writeObject(value, depth + 1)
  throw new Refusal('the object is not a plain one')
}

/** Printable ASCII without the quote and the backslash: nothing to escape and no surrogate to look for. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/

function writeString(text: string): string {
  if (PLAIN_TEXT.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new Refusal('the string holds a lone surrogate')
  return JSON.stringify(text)
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = '['
  let i = 0
  try {
    for (; i < items.length; i++) text += i === 0 ? write(items[i], depth) : `,${write(items[i], depth)}`
  } catch (error) {
    throw located(error, `[${i}]`)
  }
  return `${text}]`
}

function writeObject(members: Readonly<Record<string, unknown>>, depth: number): string {
  let text = '{'
  let separator = ''
  let name = ''
  try {
    for (name of sortedNames(members)) {
      text += `${separator}${writeString(name)}:${write(members[name], depth)}`
      separator = ','
    }
  } catch (error) {
    throw located(error, /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)
  }
  return `${text}}`
}

/** The default order of sort is that of UTF-16 code units; names in order already, the common case, skip it. */
function sortedNames(members: object): string[] {
  const names = Object.keys(members)
  let last = ''
  for (const name of names) {
    if (name < last) return names.sort()
    last = name
  }
  return names
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The path is built while the refusal travels up, so that a value that is accepted pays nothing for it. */
function located(error: unknown, step: string): unknown {
  if (error instanceof Refusal) error.path.unshift(step)
  return error
}

class Refusal extends Error {
  readonly path: string[] = []

  describe(): string {
    return `$${this.path.join('')}: ${this.message}`
  }
}
