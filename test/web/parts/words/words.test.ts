import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { formatAmount } from '../../../../web/src/parts/words/words.ts'

describe('an amount on a page', () => {
  it('has all its digits, because its owner approves what is shown', () => {
    for (const [value, currency, shown] of [
      [0.00499, 'BTC', '0.00499'],
      [1500.49, 'JPY', '1,500.49'],
      [99.995, 'EUR', '99.995'],
      [0.1 + 0.2, 'USD', '0.30000000000000004'],
      [0.000001, 'USDC', '0.000001'],
      [240, 'EUR', '240.00'],
      [1500, 'JPY', '1,500'],
    ] as const)
      expect(formatAmount(value, currency).replace(/[^\d.,]/g, ''), currency).to.equal(shown)
  })

  it('is written as the fields of the page take it, whatever the language of the system', () => {
    const module = new URL('../../../../web/src/parts/words/words.ts', import.meta.url)
    const code = `import { formatAmount } from '${module}'; console.log(formatAmount(1500.5, 'EUR'), formatAmount(1000))`
    const env = { ...process.env, LC_ALL: 'de_DE.UTF-8' }
    const shown = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { env })
    expect(String(shown).trim()).to.equal('€1,500.50 1,000')
  })
})
