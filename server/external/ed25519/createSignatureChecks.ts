import type { Worker } from 'node:worker_threads'
import { packGroup, type SignatureCheck } from './signatureGroup.ts'
import type { Sodium } from './sodium.ts'

export type SignatureChecksDeps = {
  /** Starts the thread on `signatureThread.ts`. */
  spawn: () => Worker
  /** Makes the checks that are not worth a message. */
  library: Sodium | null
}

type Waiting = SignatureCheck & { resolve(isValid: boolean): void }

/** From this number on, the message to the thread and its answer cost less than the checks. */
const WORTH_A_MESSAGE = 2
/** Maximum number of checks in a message, so that requests continue here while the thread is at the next message. */
const MESSAGE_MAX = 16
/** From this number on, a second message is sent while the thread is at the first; fewer wait for others. */
const WORTH_A_SECOND = 8
/** With as many messages unanswered, the thread has work until the next one arrives, and this one helps. */
const BUSY_FROM = 2

/**
 * Checks the signatures that arrive in one turn of the event loop together, on a thread of their own: a check takes as long
 * as half a decision, and nothing else of a request can be done elsewhere.
 *
 * A single one is checked at once. While the thread is behind, this one makes a check in each of its turns, because it would
 * soon be idle and every request would wait for the other. The thread is started by the first group, keeps no process alive,
 * and is replaced when it ends; what it had not answered is checked here.
 */
export function createSignatureChecks({ spawn, library }: SignatureChecksDeps) {
  const waiting: Waiting[] = []
  /** The groups that the thread has not answered yet; what arrives while it is busy is sent together. */
  let sent: Waiting[][] = []
  let thread: Worker | null = null
  let isHelping = false

  function flush(): void {
    while (sent.length < BUSY_FROM && waiting.length >= (sent.length === 0 ? 1 : WORTH_A_SECOND)) {
      const group = waiting.splice(0, MESSAGE_MAX)
      if (group.length < WORTH_A_MESSAGE) verifyHere(group)
      else send(group)
    }
    if (isHelping || !isBehind()) return
    isHelping = true
    setImmediate(help)
  }

  const isBehind = () => sent.length === BUSY_FROM && waiting.length > 0

  function help(): void {
    isHelping = false
    if (isBehind()) verifyHere(waiting.splice(0, 1))
    flush()
  }

  function verifyHere(group: readonly Waiting[]): void {
    for (const { key, text, signature, resolve } of group)
      resolve(library?.crypto_sign_verify_detached(signature, text, key) ?? false)
  }

  function send(group: Waiting[]): void {
    thread ??= start()
    sent.push(group)
    const message = packGroup(group)
    thread.postMessage(message, [message.bytes.buffer, message.ends.buffer])
  }

  function start(): Worker {
    const started = spawn()
    started.on('message', (results: Uint8Array) => {
      sent.shift()?.forEach(({ resolve }, nth) => {
        resolve(results[nth] === 1)
      })
      flush()
    })
    // The exit follows.
    started.on('error', () => undefined)
    started.on('exit', () => {
      const unanswered = sent.flat()
      sent = []
      thread = null
      verifyHere(unanswered)
      flush()
    })
    started.unref()
    return started
  }

  return {
    /** Whether the key made the signature over the text. */
    verify(check: SignatureCheck): Promise<boolean> {
      return new Promise((resolve) => {
        waiting.push({ ...check, resolve })
        if (waiting.length === 1) setImmediate(flush)
      })
    },
  }
}
