import { once } from 'node:events'

/** The members read here. Source: Chrome DevTools Protocol, `Profiler.FunctionCoverage`. */
type FunctionCoverage = { functionName: string; ranges: { startOffset: number; count: number }[] }

/** Source: Chrome DevTools Protocol, `Profiler.ScriptCoverage`. */
export type ScriptCoverage = { url: string; functions: FunctionCoverage[] }

/** Counts the calls of a running process. */
export type Coverage = {
  /** Returns the functions called since the last take, and starts counting again at zero. */
  take(): Promise<ScriptCoverage[]>
  close(): void
}

type Reply = { id?: number; result?: { result?: ScriptCoverage[] }; error?: { message: string } }

/**
 * Attaches to the inspector of a Node process and starts counting function calls on its main thread.
 *
 * @param port The port with which the process was started: `--inspect=127.0.0.1:port`.
 * @throws Error if the inspector does not listen there or rejects a command.
 * Source: Chrome DevTools Protocol, `Profiler.startPreciseCoverage`.
 */
export async function connectCoverage(port: number): Promise<Coverage> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  const pending = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(data) as Reply
    if (reply.id !== undefined) pending.get(reply.id)?.(reply)
  })

  function call(method: string, params: object = {}): Promise<Reply['result']> {
    const id = pending.size + 1
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => {
      pending.set(id, ({ result, error }) => {
        if (error) reject(new Error(`${method}: ${error.message}`))
        else resolve(result)
      })
    })
  }

  await call('Profiler.enable')
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    take: async () => (await call('Profiler.takePreciseCoverage'))?.result ?? [],
    close: () => socket.close(),
  }
}
