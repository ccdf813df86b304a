import { parseIpList } from '@svc/core/platforms/ipPrefix.ts'
import type { IpLists } from '../../external/ipLists.ts'
import type { GetText } from '../../external/outbound/outboundHttp.ts'

/** Delay before an unreadable list is fetched again. */
const RETRY_MS = 60 * 60_000

export type RefreshIpListsDeps = {
  getText: GetText
  lists: Pick<IpLists, 'state' | 'put' | 'confirm' | 'save'>
  clock: () => number
  onFailed(url: string, reason: unknown): void
}

/**
 * Refetches the published address lists that are older than `everyMs`, one after another.
 *
 * An error, or a response that is not a list, leaves the current list in place. Always returns 0, because the next round
 * can wait.
 */
export function createRefreshIpLists(deps: RefreshIpListsDeps, urls: readonly string[], everyMs: number) {
  const triedAt = new Map<string, number>()
  return async (): Promise<0> => {
    const now = deps.clock()
    const due = urls.filter((url) => {
      const { fetchedAt = Number.NEGATIVE_INFINITY } = deps.lists.state(url) ?? {}
      return now - fetchedAt >= everyMs && now - (triedAt.get(url) ?? Number.NEGATIVE_INFINITY) >= RETRY_MS
    })
    for (const url of due) {
      triedAt.set(url, now)
      await refresh(deps, url, now).catch((reason) => deps.onFailed(url, reason))
    }
    if (due.length > 0) deps.lists.save()
    return 0
  }
}

async function refresh({ getText, lists }: RefreshIpListsDeps, url: string, now: number): Promise<void> {
  const etag = lists.state(url)?.etag ?? null
  const answer = await getText(url, {
    Accept: 'application/json',
    ...(etag === null ? {} : { 'If-None-Match': etag }),
  })
  if (answer.status === 304 && etag !== null) return lists.confirm(url, now)
  if (answer.status !== 200) throw new Error(`the address list answered ${answer.status}`)
  const prefixes = parseIpList(answer.body)
  if (prefixes === undefined) throw new Error('the answer is no list of addresses')
  lists.put(url, { fetchedAt: now, etag: answer.headers.etag ?? null, prefixes })
}
