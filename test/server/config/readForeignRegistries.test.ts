import { expect } from 'chai'
import { readForeignRegistries } from '../../../server/config/readForeignRegistries.ts'

const ADDRESS = '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'
const BASE = `eip155:8453:${ADDRESS} https://rpc.example/v1/key`
const REVIEWER = `0x${'11'.repeat(20)}`

describe('readForeignRegistries', () => {
  it('reads registries separated by commas or line breaks, and leaves out comments', () => {
    const other = `eip155:1:${ADDRESS} https://other.example reputation=${ADDRESS} reviewers=${REVIEWER}+${REVIEWER}`
    for (const text of [`${BASE}, ${other}`, `# two chains\n${BASE}\n\r\n  ${other}\n`]) {
      expect(readForeignRegistries(text, false)).to.deep.equal([
        {
          agentRegistry: `eip155:8453:${ADDRESS.toLowerCase()}`,
          chainId: 8453,
          registry: ADDRESS.toLowerCase(),
          rpcUrl: 'https://rpc.example/v1/key',
          reputation: null,
          reviewers: [],
        },
        {
          agentRegistry: `eip155:1:${ADDRESS.toLowerCase()}`,
          chainId: 1,
          registry: ADDRESS.toLowerCase(),
          rpcUrl: 'https://other.example',
          reputation: ADDRESS.toLowerCase(),
          reviewers: [REVIEWER],
        },
      ])
    }
    expect(readForeignRegistries('', false)).to.deep.equal([])
  })

  it('reads plain HTTP only where private addresses are allowed', () => {
    const text = BASE.replace('https', 'http')
    expect(readForeignRegistries(text, true)).to.have.length(1)
    expect(() => readForeignRegistries(text, false)).to.throw('has no HTTPS address of a node')
  })

  it('says which entry is wrong, and why, without repeating the URL', () => {
    for (const [entry, reason] of [
      [`${ADDRESS} https://rpc.example/key`, 'does not begin with a registry'],
      [`eip155:1:${ADDRESS}/3 https://rpc.example/key`, 'does not begin with a registry'],
      [`eip155:1:${ADDRESS}`, 'has no HTTPS address'],
      [`eip155:1:${ADDRESS} ftp://rpc.example/key`, 'has no HTTPS address'],
      [`eip155:1:${ADDRESS} https://rpc.example/key reviewer=${REVIEWER}`, 'has something other than'],
      [`eip155:1:${ADDRESS} https://rpc.example/key reputation=${ADDRESS}`, 'needs both'],
      [
        `eip155:1:${ADDRESS} https://rpc.example/key reputation=0x1 reviewers=${REVIEWER}`,
        'has a malformed address',
      ],
    ] as const) {
      const read = () => readForeignRegistries(`${BASE},${entry}`, false)
      expect(read, entry).to.throw(`Setting FOREIGN_REGISTRIES: entry 2 ${reason}`)
      expect(read).not.to.throw(/rpc\.example/)
    }
    expect(() => readForeignRegistries(`${BASE},${BASE}`, false)).to.throw('a registry occurs twice')
  })

  it('reads 32 registries and 50 reviewers at most', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => BASE.replace('8453', String(i + 1))).join('\n')
    expect(readForeignRegistries(many(32), false)).to.have.length(32)
    expect(() => readForeignRegistries(many(33), false)).to.throw('at most 32 registries')
    const reviewers = Array.from({ length: 51 }, (_, i) => `0x${String(i).padStart(40, '0')}`).join('+')
    const crowded = `${BASE} reputation=${ADDRESS} reviewers=${reviewers}`
    expect(() => readForeignRegistries(crowded, false)).to.throw('more than 50 reviewers')
  })
})
