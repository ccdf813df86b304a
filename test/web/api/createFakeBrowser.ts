/** A request that the dashboard sent, and how the test responds to it. */
export type SentRequest = { path: string; headers: Headers; answer: (status: number, body: object) => void }

/**
 * Creates what the session of the dashboard uses of a browser: requests, storage and the channel to the other tabs.
 *
 * `install` has to run before the modules of the dashboard are imported, which open the channel.
 */
export function createFakeBrowser() {
  const stored = new Map<string, string>()
  const sent: SentRequest[] = []
  const broadcast: unknown[] = []
  const replaced = new Map<string, PropertyDescriptor | undefined>()
  let heard = new EventTarget()

  class Channel extends EventTarget {
    constructor() {
      super()
      heard = this
    }
    postMessage(message: unknown): void {
      broadcast.push(message)
    }
  }

  const send = (path: string, init?: RequestInit) =>
    new Promise((resolve, reject) => {
      const answer = (status: number, body: object) => resolve(Response.json(body, { status }))
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      sent.push({ path, headers: new Headers(init?.headers), answer })
    })

  return {
    /** Entries of the local storage. */
    stored,
    sent,
    /** Messages to the other tabs. */
    broadcast,
    /** Delivers a message of another tab. */
    hear: (data: object) => heard.dispatchEvent(Object.assign(new Event('message'), { data })),

    install(): void {
      const localStorage = {
        getItem: (name: string) => stored.get(name) ?? null,
        setItem: (name: string, value: string) => stored.set(name, value),
        removeItem: (name: string) => stored.delete(name),
      }
      const globals = { localStorage, navigator: {}, BroadcastChannel: Channel, fetch: send }
      for (const [name, value] of Object.entries(globals)) {
        replaced.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
      }
    },

    remove(): void {
      for (const [name, before] of replaced) {
        if (before) Object.defineProperty(globalThis, name, before)
        else Reflect.deleteProperty(globalThis, name)
      }
    },
  }
}
