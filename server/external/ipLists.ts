import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { type IpPrefix, parseIpPrefix } from '@svc/core/platforms/ipPrefix.ts'
import { z } from 'zod'

/** A list that has not been refreshed for this long no longer counts, because addresses change owners. */
const AGE_MAX_MS = 30 * 24 * 60 * 60_000

const fileSchema = z.object({
  lists: z.array(
    z.object({
      url: z.url(),
      /** When it was last compared with the published list. */
      fetchedAt: z.iso.datetime(),
      etag: z.string().nullable(),
      prefixes: z.array(z.string()),
    }),
  ),
})

type IpList = { fetchedAt: number; etag: string | null; prefixes: readonly IpPrefix[]; block: BlockList }

export type IpLists = ReturnType<typeof createIpLists>

/**
 * Stores the address lists of platforms by URL, in memory and in a file that survives a restart.
 *
 * The file is dated and readable, so an operator without internet access can supply one: `{lists: [{url, fetchedAt, etag,
 * prefixes}]}`. A missing file counts as empty.
 *
 * @throws Error naming the file if it is invalid or contains an invalid prefix.
 */
export function createIpLists(file: string) {
  const lists = readLists(file)
  return {
    /** Whether the list contains the address; false if the list is missing or too old. `now` is epoch milliseconds. */
    contains(url: string, address: string, now: number): boolean {
      const list = lists.get(url)
      if (list === undefined || now - list.fetchedAt > AGE_MAX_MS) return false
      return list.block.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
    },

    /** Returns when a list was last fetched, and its ETag. */
    state(url: string): { fetchedAt: number; etag: string | null } | null {
      return lists.get(url) ?? null
    },

    put(url: string, list: { fetchedAt: number; etag: string | null; prefixes: readonly IpPrefix[] }): void {
      lists.set(url, { ...list, block: blockOf(list.prefixes) })
    },

    /** Marks the list as unchanged. */
    confirm(url: string, fetchedAt: number): void {
      const list = lists.get(url)
      if (list !== undefined) list.fetchedAt = fetchedAt
    },

    /** Replaces the file atomically. */
    save(): void {
      const entries = [...lists].map(([url, { fetchedAt, etag, prefixes }]) => ({
        url,
        fetchedAt: new Date(fetchedAt).toISOString(),
        etag,
        prefixes: prefixes.map(({ address, bits }) => `${address}/${bits}`),
      }))
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, `${JSON.stringify({ lists: entries }, null, 1)}\n`, { mode: 0o600 })
      renameSync(draft, file)
    },
  }
}

function readLists(file: string): Map<string, IpList> {
  const lists = new Map<string, IpList>()
  for (const { url, fetchedAt, etag, prefixes } of documentOf(file).lists) {
    const parsed = prefixes.map((text) => {
      const prefix = parseIpPrefix(text)
      if (prefix === undefined) throw new Error(`${file}: ${text} is not a valid address prefix`)
      return prefix
    })
    lists.set(url, { fetchedAt: Date.parse(fetchedAt), etag, prefixes: parsed, block: blockOf(parsed) })
  }
  return lists
}

function documentOf(file: string): z.output<typeof fileSchema> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { lists: [] }
    throw error
  }
  try {
    return fileSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${file} is not a file of address lists`, { cause })
  }
}

function blockOf(prefixes: readonly IpPrefix[]): BlockList {
  const block = new BlockList()
  for (const { address, bits, family } of prefixes) block.addSubnet(address, bits, family)
  return block
}
