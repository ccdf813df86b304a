import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { type IpPrefix, parseIpPrefix } from '@svc/core/platforms/ipPrefix.ts'
import { z } from 'zod'

/** Past this a list that nobody could read again is evidence no more: addresses change hands. */
const AGE_MAX_MS = 30 * 24 * 60 * 60_000

const fileSchema = z.object({
  lists: z.array(
    z.object({
      url: z.url(),
      /** When it was last held against what the operator publishes. */
      fetchedAt: z.iso.datetime(),
      etag: z.string().nullable(),
      prefixes: z.array(z.string()),
    }),
  ),
})

type IpList = { fetchedAt: number; etag: string | null; prefixes: readonly IpPrefix[]; block: BlockList }

export type IpLists = ReturnType<typeof createIpLists>

/**
 * The address lists of platforms, by their URL: in memory, and in a file that outlives a restart.
 *
 * The file is dated and readable, so that an operator without a way out can bring one: `{lists: [{url, fetchedAt, etag,
 * prefixes}]}`. A file that is not there is an empty one.
 *
 * @throws Error naming the file when it is there and is none, or holds a block of addresses that is none.
 */
export function createIpLists(file: string) {
  const lists = readLists(file)
  return {
    /** Whether the list holds the address; false for a list that is not there or too old. Epoch milliseconds. */
    holds(url: string, address: string, now: number): boolean {
      const list = lists.get(url)
      if (list === undefined || now - list.fetchedAt > AGE_MAX_MS) return false
      return list.block.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
    },

    /** When a list was last read, and the version it had then. */
    state(url: string): { fetchedAt: number; etag: string | null } | null {
      return lists.get(url) ?? null
    },

    put(url: string, list: { fetchedAt: number; etag: string | null; prefixes: readonly IpPrefix[] }): void {
      lists.set(url, { ...list, block: blockOf(list.prefixes) })
    },

    /** The list is still what it was. */
    confirm(url: string, fetchedAt: number): void {
      const list = lists.get(url)
      if (list !== undefined) list.fetchedAt = fetchedAt
    },

    /** Writes the file anew, whole or not at all. */
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
      if (prefix === undefined) throw new Error(`${file}: ${text} is no block of addresses of one operator`)
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
    throw new Error(`${file} is no file of address lists`, { cause })
  }
}

function blockOf(prefixes: readonly IpPrefix[]): BlockList {
  const block = new BlockList()
  for (const { address, bits, family } of prefixes) block.addSubnet(address, bits, family)
  return block
}
