import { encodeFunctionData, zeroAddress, zeroHash } from 'viem'
import { auditLog } from './artifacts/auditLog.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex } from './chainTypes.ts'
import { orNull } from './nodeFailure.ts'
import { eventPositionOf, readEvents } from './readEvents.ts'

const { abi } = auditLog

type Batch = {
  logId: Hex
  batch: number
  prevSize: number
  newSize: number
  root: Hex
  consistencyProof: readonly Hex[]
}

/** The contract that stores the heads of audit logs. */
export function createAuditLogContract({ client, call }: Transport) {
  return {
    /** Encodes opening a log, which the relayer then operates. */
    encodeOpenLog: (logId: Hex): Hex => encodeFunctionData({ abi, functionName: 'openLog', args: [logId] }),

    /** Encodes offering a log to another account. */
    encodeOffer: (logId: Hex, to: Hex): Hex =>
      encodeFunctionData({ abi, functionName: 'transferOperator', args: [logId, to] }),

    /** Encodes accepting a log that was offered to the caller. */
    encodeAccept: (logId: Hex): Hex =>
      encodeFunctionData({ abi, functionName: 'acceptOperator', args: [logId] }),

    /** Reads to whom a log is offered; the zero address if to nobody. */
    readPendingOperator: (contract: Hex, logId: Hex): Promise<Hex> =>
      call(() =>
        client().readContract({ address: contract, abi, functionName: 'pendingOperator', args: [logId] }),
      ),

    /** Encodes anchoring the next batch. */
    encodeAnchor: (batch: Batch): Hex =>
      encodeFunctionData({
        abi,
        functionName: 'anchor',
        args: [
          batch.logId,
          BigInt(batch.batch),
          BigInt(batch.prevSize),
          BigInt(batch.newSize),
          batch.root,
          [...batch.consistencyProof],
        ],
      }),

    /** Whether the contract at an address stores the heads of logs. */
    isAuditLog: (contract: Hex): Promise<boolean> =>
      call(async () => {
        const head = { abi, functionName: 'head', args: [zeroHash] } as const
        return (await orNull(client().readContract({ address: contract, ...head }))) !== null
      }),

    /** Reads the head of a log; `operator` is null if the log was never opened. */
    readHead: (
      contract: Hex,
      logId: Hex,
    ): Promise<{ batch: number; size: number; root: Hex; operator: Hex | null }> =>
      call(async () => {
        const [batch, size, , root, operator] = await client().readContract({
          address: contract,
          abi,
          functionName: 'head',
          args: [logId],
        })
        return {
          batch: Number(batch),
          size: Number(size),
          root,
          operator: operator === zeroAddress ? null : operator,
        }
      }),

    /** Finds where a batch was anchored and the root it produced; null if it was not anchored. */
    findAnchor: async (
      contract: Hex,
      { logId, batch }: { logId: Hex; batch: number },
      blocks: { first: number; last: number },
    ): Promise<({ newSize: number; root: Hex } & EventPosition) | null> => {
      const [log] = await readEvents(
        { client, call },
        (node, range) =>
          node.getContractEvents({
            address: contract,
            abi,
            eventName: 'BatchAnchored',
            args: { logId, batch: BigInt(batch) },
            strict: true,
            ...range,
          }),
        blocks,
      )
      if (log === undefined) return null
      return { newSize: Number(log.args.newSize), root: log.args.root, ...eventPositionOf(log) }
    },
  }
}
