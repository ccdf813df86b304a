import { createReadStream } from 'node:fs'

/** The longest line that is read: several times that of the longest record of an archive. Its author is not trusted. */
const LINE_CHARACTERS_MAX = 4_194_304

/**
 * Yields the lines of a JSON Lines file one by one, so that a file can be of any size.
 *
 * Only a line feed ends a line; `node:readline` also splits at U+2028 and U+2029, which JSON strings may contain. The last
 * line need not end with one.
 *
 * @throws Error of the file system, or if a line is longer than 4 Mi characters.
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  const parts: string[] = []
  let length = 0
  let number = 1
  const append = (part: string) => {
    length += part.length
    if (length > LINE_CHARACTERS_MAX)
      throw new Error(`line ${number} is longer than ${LINE_CHARACTERS_MAX} characters`)
    parts.push(part)
  }
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    append(first)
    for (const begun of others) {
      yield parts.join('')
      parts.length = 0
      length = 0
      number += 1
      append(begun)
    }
  }
  const rest = parts.join('')
  if (rest !== '') yield rest
}
