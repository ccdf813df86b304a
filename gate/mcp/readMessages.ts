import { areAlike } from './areAlike.ts'
import { findAmbiguousName } from './findAmbiguousName.ts'
import { hashCalls } from './hashCalls.ts'
import { ERROR_CODES, isObject, isRequestId, type Message, type RequestId } from './jsonRpc.ts'
import { splitBatch } from './splitBatch.ts'

/** A call of a tool. */
export type ToolCall = {
  id: RequestId
  name: string
  arguments: Readonly<Record<string, unknown>>
  /** `_meta` of the call. */
  metadata: Readonly<Record<string, unknown>>
  /** Of tool and arguments. */
  hash: string
}

/** The messages of a body or line, with the calls of tools among them. */
export type ReadMessages = {
  ok: true
  messages: readonly Message[]
  /** Whether they came as a list, as in revision 2025-03-26. */
  isBatch: boolean
  /** Each message as the client wrote it. */
  texts: ReadonlyMap<Message, string>
  calls: ReadonlyMap<Message, ToolCall>
}

/** What is wrong with a text, for the response. */
export type UnreadableMessages = { ok: false; code: number; problem: string }

/** Members that decide about a message. In another spelling, this gate would ignore them and a lenient server might not. */
const ENVELOPE = ['jsonrpc', 'id', 'method', 'params']
const PARAMS = ['name', 'arguments', '_meta']
const CALL = 'tools/call'
/** Members of `_meta` that name and prove an agent. */
const OF_AGENT = [
  ...['x-svc-id', 'x-svc-purpose', 'x-svc-scope', 'x-svc-duration', 'x-svc-attempt-id'],
  ...['x-svc-agent-card', 'x-svc-proof', 'x-svc-token', 'authorization'],
]
const BATCH_MAX = 100

/**
 * Reads the messages that a client sends.
 *
 * Whatever a server could understand differently from the gate is refused: text that is not JSON, members with a name twice
 * or in another spelling, a method that is no text, and a call without an identifier, a name, or an object of arguments.
 */
export function readMessages(text: string): ReadMessages | UnreadableMessages {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { ok: false, code: ERROR_CODES.unparsable, problem: 'The message is not JSON.' }
  }
  const isBatch = Array.isArray(content)
  const messages: readonly unknown[] = Array.isArray(content) ? content : [content]
  if (messages.length === 0 || messages.length > BATCH_MAX) {
    return refuse(`A batch must have 1 to ${BATCH_MAX} messages.`)
  }
  const ambiguous = findAmbiguousName(text)
  if (ambiguous !== undefined) return refuse(`The message has the member "${ambiguous}" twice.`)
  const found = new Map<Message, Omit<ToolCall, 'hash'>>()
  for (const message of messages) {
    if (!isObject(message)) return refuse('A message must be an object.')
    const call = readCall(message)
    if (typeof call === 'string') return refuse(call)
    if (call !== undefined) found.set(message, call)
  }
  const calls = addHashes(text, messages, found)
  if (calls === undefined) return refuse('The arguments of a call are nested too deeply.')
  const read = messages as readonly Message[]
  const written = isBatch ? splitBatch(text) : [text]
  const texts = new Map(read.map((message, nth) => [message, written[nth] ?? '']))
  return { ok: true, messages: read, isBatch, texts, calls }
}

/** Undefined if the stack is too short for the arguments. */
function addHashes(
  text: string,
  messages: readonly unknown[],
  found: ReadonlyMap<Message, Omit<ToolCall, 'hash'>>,
): Map<Message, ToolCall> | undefined {
  if (found.size === 0) return new Map()
  try {
    const hashes = hashCalls(text)
    return new Map(
      [...found].map(([message, call]) => [
        message,
        { ...call, hash: hashes[messages.indexOf(message)] ?? '' },
      ]),
    )
  } catch {
    return undefined
  }
}

function refuse(problem: string): UnreadableMessages {
  return { ok: false, code: ERROR_CODES.invalidRequest, problem }
}

/** Returns the call, undefined for another message, or what is wrong with it. */
function readCall(message: Readonly<Record<string, unknown>>): Omit<ToolCall, 'hash'> | string | undefined {
  const misspelt = findMisspelt(message, ENVELOPE)
  if (misspelt !== undefined) return misspelt
  const { id, method, params } = message
  if (method === undefined) return undefined
  // Some servers would take `["tools/call"]` for the text.
  if (typeof method !== 'string') return 'The method of a message must be a text.'
  if (method !== CALL && areAlike(method, CALL)) {
    return `The method must be spelt "${CALL}".`
  }
  if (method !== CALL) return undefined
  if (!isRequestId(id)) return 'A call of a tool must have an id.'
  if (!isObject(params)) return 'A call of a tool must have params.'
  const problem = findMisspelt(params, PARAMS)
  if (problem !== undefined) return problem
  const { name, arguments: given = {}, _meta: metadata = {} } = params
  if (typeof name !== 'string' || !isToolName(name)) return 'A call must name its tool.'
  if (!isObject(given)) return 'The arguments of a call must be an object.'
  if (!isObject(metadata)) return 'The _meta of a call must be an object.'
  return findAmbiguousIdentity(metadata) ?? { id, name, arguments: given, metadata }
}

/** Some servers would end the name at a control character, or drop it, and call another tool. */
function isToolName(name: string): boolean {
  return name !== '' && name.length <= 200 && !/\p{Cc}/u.test(name)
}

function findMisspelt(content: object, names: readonly string[]): string | undefined {
  for (const found of Object.keys(content)) {
    const meant = names.find(
      (name) => areAlike(found, name) || areAlike(found.replace(/[^\p{L}_]/gu, ''), name),
    )
    if (meant !== undefined && meant !== found)
      return `The member ${JSON.stringify(found)} must be spelt "${meant}".`
  }
  return undefined
}

/** The client reads these in any case, so two of them, or one in letters of another alphabet, could name two agents. */
function findAmbiguousIdentity(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(metadata)
  for (const member of OF_AGENT) {
    const found = names.filter((name) => areAlike(name, member))
    if (found.length > 1) return `The _meta of a call has the member "${member}" twice.`
    if (found.some((name) => !/^[\w-]+$/.test(name))) return `The member "${member}" of _meta is misspelt.`
  }
  return undefined
}
