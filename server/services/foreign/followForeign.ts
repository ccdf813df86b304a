import type { ForeignChain } from '../../chain/foreignChain.ts'
import type { AdoptionStore } from '../../store/agents/adoptionStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { WalletReading } from './changeWallet.ts'
import type { TokenTransfer } from './endAdoption.ts'

/** Maximum blocks per round. */
const BLOCKS_MAX = 2_000
/** Blocks that are read again: a reorganisation may have changed them, or the node may not have had their events yet. */
const READ_AGAIN = 64

export type FollowForeignDeps = {
  db: Pick<Db, 'transaction'>
  adoptions: Pick<AdoptionStore, 'firstBlock' | 'amongTokens'>
  cursors: Pick<TokenStore, 'followedTo' | 'setFollowedTo'>
  endAdoption(transfer: TokenTransfer): Promise<void>
  changeWallet(reading: WalletReading): Promise<unknown>
  /** Whether this process is the one that follows. */
  isRelayer(): Promise<boolean>
  clock: () => number
}

type FollowedRegistry = {
  agentRegistry: string
  chain: Pick<ForeignChain, 'readHead' | 'readTransfers' | 'readWallets'>
}

/**
 * Follows a registry on another chain, ends the adoption of every agent whose token was transferred, even if it came back to
 * its owner, and stores each `agentWallet` of the others in turn, so that one that was set for a while counts as well.
 *
 * Blocks are not waited for to become final: whoever may have lost a token must not act for it. The newest ones are read
 * again with the next, because a token that was sold and came back shows in its events only. If a reorganisation undoes
 * the transfer, its owner adopts the agent again; a wallet is corrected by the next reading of the token. Without adoptions
 * nothing is asked.
 *
 * @returns The number of blocks followed if others remain, otherwise 0: new ones wait for the next look.
 * @throws ApiError CHAIN_UNAVAILABLE.
 */
export async function followForeign(
  deps: FollowForeignDeps,
  { agentRegistry, chain }: FollowedRegistry,
): Promise<number> {
  const since = await deps.adoptions.firstBlock(agentRegistry)
  if (since === null || !(await deps.isRelayer())) return 0
  const cursor = `foreign:${agentRegistry}`
  const followed = Math.max((await deps.cursors.followedTo(cursor)) ?? 0, since)
  const head = await chain.readHead()
  // A development chain that was restarted begins again.
  const first = head < followed ? head + 1 : followed + 1
  const last = Math.min(head, first + BLOCKS_MAX - 1)
  if (last < first && head === followed) return 0
  // What has been done about an event is not done again: its adoption has ended, or its wallet is known at a later block.
  const from = Math.max(Math.min(first, since + 1), first - READ_AGAIN)
  if (last >= from) await followBlocks(deps, { agentRegistry, chain }, { first: from, last })
  const followedTo = last < first ? head : last
  await deps.db.transaction((trx) => deps.cursors.setFollowedTo(trx, cursor, followedTo), [])
  return last < head ? Math.max(last - first + 1, 0) : 0
}

async function followBlocks(
  deps: FollowForeignDeps,
  { agentRegistry, chain }: FollowedRegistry,
  blocks: { first: number; last: number },
): Promise<void> {
  const [transfers, wallets] = await Promise.all([chain.readTransfers(blocks), chain.readWallets(blocks)])
  const adoptedAmong = (tokenIds: Iterable<number>) =>
    deps.adoptions.amongTokens(agentRegistry, [...new Set(tokenIds)])
  for (const { agentId, tokenId, adoptedBlock } of await adoptedAmong(transfers.keys())) {
    const transfer = transfers.get(tokenId)
    if (transfer === undefined || transfer.block <= adoptedBlock) continue
    await deps.endAdoption({ svcId: agentId, ...transfer, now: deps.clock() })
  }
  // Read afterwards: a transfer has removed its adoption, and with it the wallet.
  const adopted = await adoptedAmong(wallets.map(({ agentId }) => agentId))
  const byToken = new Map(adopted.map((adoption) => [adoption.tokenId, adoption]))
  for (const { agentId, wallet, block } of wallets) {
    const adoption = byToken.get(agentId)
    if (adoption === undefined || block <= adoption.adoptedBlock) continue
    await deps.changeWallet({ svcId: adoption.agentId, wallet, block, now: deps.clock() })
  }
}
