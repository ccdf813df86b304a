import { expect } from 'chai'
import { renderSummary } from '../../../server/terminal/renderSummary.ts'
import type { ServiceSummary } from '../../../server/terminal/serviceSummary.ts'

const ADDRESS = `0x${'5'.repeat(40)}`
const SUMMARY: ServiceSummary = {
  version: '1.2.3',
  url: 'http://localhost:3000',
  appUrl: 'http://localhost:3000',
  chain: {
    url: 'http://127.0.0.1:8545',
    isLocal: true,
    deployed: {
      chainId: 31337,
      contracts: { identityRegistry: ADDRESS, reputationRegistry: null },
      logId: `0x${'7'.repeat(64)}`,
    },
  },
  database: '/srv/svc/data/svc.sqlite',
  processes: 1,
  dataDir: '/srv/svc/data',
  keyFiles: ['access-token-key.json', 'audit-log-key.json', 'receipt-key.json', 'secrets-key'],
  registrationFilesDir: '/srv/files',
  mailFolder: '/srv/svc/data/mail',
}

const render = (columns: number, changes: Partial<ServiceSummary> = {}, workingFolder = '/srv/svc') =>
  renderSummary({ ...SUMMARY, ...changes }, { columns, workingFolder, paint: (_, text) => text })

describe('the summary of a start', () => {
  it('names the version, every address, what is generated and where, and how to stop', () => {
    const text = render(100)
    for (const expected of [
      /Agent registry 1\.2\.3/,
      /Dashboard +http:\/\/localhost:3000\n/,
      /Docs +http:\/\/localhost:3000\/docs\n/,
      /API +http:\/\/localhost:3000\/api\n/,
      /Chain +http:\/\/127\.0\.0\.1:8545\n/,
      /id 31337, local/,
      /Contracts +identity registry +0x5{40}\n/,
      /Audit log +0x7{64}\n/,
      /database +\.\/data\/svc\.sqlite\n/,
      /keys in +\.\/data\n[^/]*secrets-key/,
      /registration files +\/srv\/files\n/,
      /e-mails +\.\/data\/mail\n/,
      /Stop +Ctrl\+C\n/,
    ])
      expect(text).to.match(expected)
    expect(text).to.not.include('reputation')
  })

  it('fits 40 columns but for addresses and paths, which are never cut', () => {
    const lines = render(40).split('\n')
    const wide = lines.filter((line) => line.length > 40).map((line) => line.trim())
    expect(wide).to.deep.equal([ADDRESS, SUMMARY.chain.deployed?.logId])
  })

  it('fits 80 columns', () => {
    expect(
      Math.max(
        ...render(80)
          .split('\n')
          .map(({ length }) => length),
      ),
    ).to.be.at.most(80)
  })

  it('says that a chain is unreachable, and that decisions are made meanwhile', () => {
    const text = render(100, { chain: { url: 'http://chain:8545', isLocal: false, deployed: null } })
    expect(text).to.match(/Chain +http:\/\/chain:8545\n.*not ready yet: decisions are made/)
    expect(text).to.not.include('Contracts')
  })

  it('names no folder of mails if a server sends them, and the number of processes if there are several', () => {
    const text = render(100, { mailFolder: null, processes: 3 })
    expect(text).to.not.include('e-mails')
    expect(text).to.include('is running in 3 processes')
  })
})
