import { readError, readText } from '@svc/client/http/readResponse.ts'

/** What the monitor reads of a service. */
export type MonitoredService = {
  /**
   * Reads a path.
   *
   * @throws Unchecked if the service does not respond, or with an error, or with more bytes than `bytesMax`.
   */
  read(path: string, options?: { isOwn?: boolean; bytesMax?: number }): Promise<Read>
}

type Read = { kind: 'found'; text: string; next: string | null } | { kind: 'not_anchored' | 'unknown' }

/** A check that could not be done: it is neither passed nor failed. */
export class Unchecked extends Error {
  override readonly name = 'Unchecked'
  /** Signed documents that show why, if it is the service that prevents the check. */
  readonly evidence: string[]

  constructor(message: string, { evidence = [], cause }: { evidence?: string[]; cause?: unknown } = {}) {
    super(message, { cause })
    this.evidence = evidence
  }
}

const TIMEOUT_MS = 20_000
/** Far longer than any response except an export. */
const BYTES_MAX = 1_048_576
/** How much of the service’s own words a message contains. */
const CODE_CHARACTERS_MAX = 60

/**
 * @param bearer The credential of a party; null without one.
 * @param signal Interrupts every request.
 */
export function openMonitoredService(
  service: string,
  bearer: (() => Promise<string>) | null,
  signal: AbortSignal,
): MonitoredService {
  return {
    async read(path, { isOwn = false, bytesMax = BYTES_MAX } = {}) {
      const headers: Record<string, string> = {}
      if (isOwn && bearer !== null) headers.authorization = `Bearer ${await renew(bearer)}`
      const address = `${service}${path}`
      const response = await fetch(address, {
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      }).catch((cause: unknown) => {
        throw new Unchecked(`${service} did not respond`, { cause })
      })
      if (!response.ok) {
        const { code, status } = await readError(response, Date.now())
        if (code === 'NOT_ANCHORED_YET') return { kind: 'not_anchored' }
        if (code === 'NOT_FOUND') return { kind: 'unknown' }
        const shown = code.slice(0, CODE_CHARACTERS_MAX)
        throw new Unchecked(`${service} responded with ${status} ${shown} to ${path}`)
      }
      const text = await readText(response, bytesMax).catch((cause: unknown) => {
        throw new Unchecked(`the response of ${service} broke off`, { cause })
      })
      if (text === undefined)
        throw new Unchecked(`the response of ${service} to ${path} is longer than ${bytesMax} bytes`)
      return { kind: 'found', text, next: nextOf(response.headers.get('link')) }
    },
  }
}

/** A session is renewed at the service, which may be restarting. */
async function renew(bearer: () => Promise<string>): Promise<string> {
  try {
    return await bearer()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Unchecked(`the session could not be renewed: ${why}`, { cause })
  }
}

/** The path of the next page. Source: RFC 8288. */
function nextOf(link: string | null): string | null {
  return /^<(\/[^>]*)>; rel="next"$/.exec(link ?? '')?.[1] ?? null
}
