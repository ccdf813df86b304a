import { mirrorIdOf } from '@svc/core/audit/mirrorId.ts'
import type { LocalAccount } from 'viem'
import { createChainClient } from '../../server/chain/chainClient.ts'
import type { Hex, Receipt } from '../../server/chain/chainTypes.ts'
import { deployAuditLog } from '../../server/chain/deployContracts.ts'
import { sendAndWait } from '../../server/chain/sendAndWait.ts'

type OpenInput = {
  rpc: string
  account: LocalAccount
  /** Number of blocks after which a transaction counts as final. */
  confirmations: number
  /** Highest fee per gas, in wei. */
  maxFeePerGas: bigint
  random(): number
}

type Head = { batch: number; size: number; root: Hex; operator: Hex | null }

/** The chain on which an account keeps its mirrors. */
export type MirrorChain = ReturnType<typeof openMirrorChain>

/**
 * Opens the chain of the mirrors. Nothing is stored outside it: what was mirrored is the head of the mirror, and a
 * transaction whose outcome was not seen either extended that head or did nothing.
 *
 * Its methods throw `CHAIN_UNAVAILABLE`, or an Error with the reason of the node or the contract.
 */
export function openMirrorChain({ rpc, account, random, ...paid }: OpenInput) {
  const chain = createChainClient({ url: () => rpc, account, random })
  const call = (to: Hex, data: Hex): Promise<Receipt> =>
    sendAndWait(chain, { to, data }, { ...paid, isAlone: true })
  return {
    account: chain.relayerAddress,
    readChainId: chain.readChainId,
    isAuditLog: chain.auditLog.isAuditLog,
    deploy: (): Promise<Hex> => deployAuditLog(chain, paid),
    idOf: (logId: string): Hex => mirrorIdOf(chain.relayerAddress, logId),
    readHead: (contract: Hex, mirrorId: Hex): Promise<Head> => chain.auditLog.readHead(contract, mirrorId),
    /** Opens a mirror, which only its account can. */
    open: (contract: Hex, mirrorId: Hex) => call(contract, chain.auditLog.encodeOpenLog(mirrorId)),
    /** Extends a mirror; the contract checks the proof. */
    extend(
      contract: Hex,
      mirrorId: Hex,
      { from, to, proof }: { from: Head; to: { size: number; root: string }; proof: readonly string[] },
    ): Promise<Receipt> {
      const data = chain.auditLog.encodeAnchor({
        ...{ logId: mirrorId, batch: from.batch + 1, prevSize: from.size },
        ...{ newSize: to.size, root: to.root as Hex, consistencyProof: proof as Hex[] },
      })
      return call(contract, data)
    },
  }
}
