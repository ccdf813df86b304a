import { sha256Hex } from '@svc/core/hash.ts'
import { isObject } from './jsonRpc.ts'

/**
 * Returns the SHA-256 of the tool and arguments of each message in a JSON text, in the order of the messages. An approval is
 * valid for one such hash.
 *
 * Numbers count as they are written: a server may tell two apart that are the same number here, such as identifiers of 64
 * bits.
 *
 * @param text Valid JSON, in which no member occurs twice.
 */
export function hashCalls(text: string): string[] {
  const content: unknown = JSON.parse(text, keepSpelling)
  const messages: readonly unknown[] = Array.isArray(content) ? content : [content]
  return messages.map((message) => {
    const { name, arguments: given = {} } =
      isObject(message) && isObject(message.params) ? message.params : {}
    return sha256Hex(JSON.stringify([name, given]))
  })
}

/** The mark before a number keeps it apart from a text with the same characters. */
function keepSpelling(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number') return `#${context?.source}`
  return typeof value === 'string' ? `"${value}` : value
}
