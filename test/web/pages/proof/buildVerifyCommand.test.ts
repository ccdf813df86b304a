import { expect } from 'chai'
import { parseAuditArguments } from '../../../../cli/audit/parseAuditArguments.ts'
import { buildVerifyCommand } from '../../../../web/src/pages/proof/buildVerifyCommand.ts'

const LOG = `0x${'1'.repeat(64)}` as const
const CONTRACT = `0x${'2'.repeat(40)}` as const
const BASE = { origin: 'https://registry.example', proof: { logId: LOG, contract: CONTRACT } }

describe('buildVerifyCommand', () => {
  it('is a command that svc understands', () => {
    const command = buildVerifyCommand({ ...BASE, recordId: 'r-1', publicRpcUrl: 'https://rpc.example' })
    const start = 'npx svc audit verify '
    expect(command.startsWith(start), command).to.equal(true)
    const args = command.slice(start.length).replaceAll("'", '').split(' ')
    const parsed = parseAuditArguments(args)
    expect(parsed.kind === 'arguments' && parsed.arguments).to.include({
      rpc: 'https://rpc.example',
      log: LOG,
      contract: CONTRACT,
    })
    expect(parsed.kind === 'arguments' && parsed.arguments.task).to.deep.equal({
      kind: 'record',
      source: 'https://registry.example/api/audit/records/r-1/proof',
      isReceipt: false,
    })
  })

  it('leaves the node to the reader if the service publishes none', () => {
    expect(buildVerifyCommand({ ...BASE, recordId: 'r-1', publicRpcUrl: null })).to.contain(
      '--rpc "$RPC_URL" ',
    )
  })

  it('cannot be led out of its quotes by an identifier or a URL', () => {
    const command = buildVerifyCommand({
      ...BASE,
      recordId: "x'; rm -rf ~ #$(id)",
      publicRpcUrl: "https://rpc.example/'$(id)",
    })
    expect(command.match(/'/g)).to.have.length(4)
    expect(command).not.to.contain('rm -rf ~')
  })
})
