import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import type { AgentDraft } from './agentDraft.ts'
import { declarationBlock } from './declarationBlock.ts'

/** The blocks of the chosen protocols that say something, and whether all of them can be registered. */
export function draftDeclarations({
  protocols,
  declarations,
}: Pick<AgentDraft, 'protocols' | 'declarations'>) {
  const blocks: [Protocol, Record<string, unknown>][] = []
  for (const protocol of protocols) {
    const block = declarationBlock(protocol, declarations[protocol] ?? {})
    if (block !== null) blocks.push([protocol, block])
  }
  const areValid = blocks.every(
    ([protocol, block]) => protocolDeclarations[protocol].safeParse(block).success,
  )
  return { blocks, areValid }
}
