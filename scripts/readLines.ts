import { createReadStream } from 'node:fs'

/**
 * The lines of a file of JSON Lines, one by one, so that its size does not matter.
 *
 * Only a line feed ends one, whatever stands in a text (`node:readline` also ends it at U+2028 and U+2029); the last
 * one need not have it.
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
