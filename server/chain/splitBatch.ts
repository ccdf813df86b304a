import { z } from 'zod'

/** viem's own limit for the response to a single call. */
const RESPONSE_BYTES_MAX = 10_485_760

const identified = z.looseObject({ id: z.number() })

/**
 * Splits the response to a JSON-RPC batch into the responses to its calls, which a node may return in any order.
 *
 * @param bodies The calls as they were sent, each with an id of its own.
 * @returns The responses as JSON, in the order of the calls; null if it is not a response to all of them.
 * @throws Error if the response is larger than 10 MiB or does not arrive in time.
 */
export async function splitBatch(
  bodies: readonly string[],
  response: Response,
): Promise<readonly string[] | null> {
  const text = await readText(response)
  if (!response.ok) return null
  const answers = new Map<number, string>()
  for (const answer of parseList(text)) {
    const { success, data } = identified.safeParse(answer)
    if (success) answers.set(data.id, JSON.stringify(answer))
  }
  const inOrder: string[] = []
  for (const body of bodies) {
    const answer = answers.get(identified.parse(JSON.parse(body)).id)
    if (answer === undefined) return null
    inOrder.push(answer)
  }
  return inOrder
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > RESPONSE_BYTES_MAX) throw new Error(`the node's response exceeds ${RESPONSE_BYTES_MAX} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** An empty list if it is not a list. */
function parseList(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
