/** Headers as Fetch has them (`Headers`, or name and value pairs) or as Node has them (an object). */
export type HeadersToRead =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the headers by name in lower case. The values of a header that was sent several times are joined with commas. */
export function readHeaders(headers: HeadersToRead): Readonly<Record<string, string | undefined>> {
  const all: Record<string, string | undefined> = {}
  if (isIterable(headers)) {
    for (const [name, value] of headers) addHeader(all, name, value)
  } else {
    for (const name of Object.keys(headers)) addHeader(all, name, headers[name])
  }
  return all
}

function addHeader(
  all: Record<string, string | undefined>,
  name: string,
  value: string | readonly string[] | undefined,
): void {
  const text = typeof value === 'string' ? value : value?.join(', ')
  if (text !== undefined) all[name.toLowerCase()] = text
}

/** Returns the names and values of an object, a `Headers`, a `Map` or a list of pairs. */
export function listEntries<Value>(
  block: Iterable<readonly [string, Value]> | Readonly<Record<string, Value>>,
): Iterable<readonly [string, Value]> {
  return isIterable(block) ? block : Object.entries(block)
}

/** Other realms and libraries have a `Headers` of their own, so no constructor is compared. */
function isIterable<Value>(
  block: Iterable<readonly [string, Value]> | Readonly<Record<string, Value>>,
): block is Iterable<readonly [string, Value]> {
  return typeof (block as Iterable<unknown>)[Symbol.iterator] === 'function'
}
