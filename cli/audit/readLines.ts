import { createReadStream } from 'node:fs'

/**
 * Yields the lines of a JSON Lines file one by one, so that a file can be of any size.
 *
 * Only a line feed ends a line; `node:readline` also splits at U+2028 and U+2029, which JSON strings may contain. The last
 * line need not end with one.
 *
 * @throws Error of the file system.
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  const parts: string[] = []
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    parts.push(first)
    for (const begun of others) {
      yield parts.join('')
      parts.length = 0
      parts.push(begun)
    }
  }
  const rest = parts.join('')
  if (rest !== '') yield rest
}
