import { expect } from 'chai'
import { parseMirrorArguments } from '../../../scripts/mirror/parseMirrorArguments.ts'

const RPC = ['--rpc', 'http://127.0.0.1:8545']
const CONTRACT = ['--contract', `0x${'12'.repeat(20)}`]
const LOG = `0x${'ab'.repeat(32)}`

describe('arguments of npm run mirror', () => {
  it('mirror every log of a service, every five minutes', () => {
    expect(parseMirrorArguments([...RPC, ...CONTRACT, '--service', 'https://a.example/api/'])).to.deep.equal({
      ...{ kind: 'mirror', rpc: RPC[1], contract: CONTRACT[1], service: 'https://a.example' },
      ...{ confirmations: 12, maxFeePerGas: 200_000_000_000n, keyFile: null },
      ...{ logIds: null, logKeys: new Map(), everyMs: 300_000, once: false },
    })
  })

  it('deploy a contract', () => {
    expect(parseMirrorArguments([...RPC, '--deploy', '--max-fee', '1.5', '--key-file', 'key'])).to.deep.equal(
      {
        ...{ kind: 'deploy', rpc: RPC[1], confirmations: 12, maxFeePerGas: 1_500_000_000n, keyFile: 'key' },
      },
    )
  })

  const whole = [...RPC, ...CONTRACT, '--service', 'https://a.example']
  for (const [args, message] of [
    [[], /--rpc must be a URL/],
    [[...RPC], /--contract must be the address/],
    [[...RPC, '--contract', '0x12'], /--contract must be the address/],
    [[...RPC, ...CONTRACT], /--service must be a URL/],
    [[...whole, '--log', 'x'], /--log must be/],
    [[...whole, '--log-key', 'x'], /--log-key/],
    [[...whole, '--every', '0'], /--every must be at least 1/],
    [[...whole, '--every', 'soon'], /--every must be a whole number/],
    [[...whole, '--confirmations', '0'], /--confirmations must be at least 1/],
    [[...whole, '--max-fee', '-1'], /max-fee/],
    [[...whole, '--max-fee', 'x'], /--max-fee must be a number of gwei/],
    [[...whole, 'extra'], /Unexpected argument "extra"/],
    [[...RPC, '--deploy', '--log', LOG], /--deploy does not take --log/],
    [[...RPC, '--deploy', '--service', 'https://a.example'], /--deploy does not take --service/],
  ] as const)
    it(`are a mistake: ${args.slice(2).join(' ') || 'none'}`, () => {
      expect(() => parseMirrorArguments(args)).to.throw(message)
    })
})
