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

/**
 * Checks the signatures that arrive in one turn of the event loop together, on a thread of their own: a check takes as long
 * as half a decision, and nothing else of a request can be done elsewhere.
 *
 * A single one is checked at once. The thread is started by the first group, keeps no process alive, and is replaced when it
 * ends; what it had not answered is checked here.
 */
export function createSignatureChecks({ spawn, library }: SignatureChecksDeps) {
  let waiting: Waiting[] = []
  /** The group that the thread has not answered yet; those that arrive meanwhile are the next. */
  let sent: Waiting[] = []
  let thread: Worker | null = null

  function flush(): void {
    if (sent.length > 0) return
    const group = waiting
    waiting = []
    if (group.length < WORTH_A_MESSAGE) verifyHere(group)
    else send(group)
  }

  function verifyHere(group: readonly Waiting[]): void {
    for (const { key, text, signature, resolve } of group)
      resolve(library?.crypto_sign_verify_detached(signature, text, key) ?? false)
  }

  function send(group: Waiting[]): void {
    thread ??= start()
    sent = group
    const message = packGroup(group)
    thread.postMessage(message, [message.bytes.buffer, message.ends.buffer])
  }

  function start(): Worker {
    const started = spawn()
    started.unref()
    started.on('message', (results: Uint8Array) => {
      const group = sent
      sent = []
      group.forEach(({ resolve }, nth) => {
        resolve(results[nth] === 1)
      })
      flush()
    })
    // The exit follows.
    started.on('error', () => undefined)
    started.on('exit', () => {
      const group = sent
      sent = []
      thread = null
      verifyHere(group)
      flush()
    })
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
