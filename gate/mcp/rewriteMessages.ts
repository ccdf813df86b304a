import type { Message } from './jsonRpc.ts'

/** Rewrites a message or a list of messages; a text in which nothing changes, or that is not JSON, is returned as it is. */
export async function rewriteMessages(
  text: string,
  rewrite: (message: Message) => Promise<Message>,
): Promise<string> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return text
  }
  const messages: readonly Message[] = Array.isArray(content) ? content : [Object(content)]
  const rewritten = await Promise.all(messages.map(rewrite))
  if (rewritten.every((message, nth) => message === messages[nth])) return text
  return JSON.stringify(Array.isArray(content) ? rewritten : rewritten[0])
}
