import type { MandateFinding, MandateInput } from '@svc/core/commerce/mandates/mandateFinding.ts'
import { createMandateVerifier } from '../../../../server/external/mandates/createMandateVerifier.ts'

const verify = createMandateVerifier()

/** A mandate and what differs from the other parts of its input. */
export type Presented = Partial<Omit<MandateInput, 'mandate' | 'holder'>> & {
  mandate: Pick<MandateInput['mandate'], 'protocol'> & Partial<MandateInput['mandate']>
  holder?: Partial<MandateInput['holder']>
}

/** Checks a mandate with the real verifiers: 'covers', 'is stated', 'absent', or the fault. */
export async function judge(presented: Presented): Promise<string> {
  const finding = await check(presented)
  if (finding.found === 'wrong') return finding.fault
  if (finding.found === 'absent') return 'absent'
  return finding.isSigned ? 'covers' : 'is stated'
}

/** Checks a mandate with the real verifiers. */
export function check({ mandate, holder, ...varied }: Presented): Promise<MandateFinding> {
  return verify({
    mandate: { value: undefined, payee: undefined, isFromHeader: false, ...mandate },
    holder: { keys: [], accounts: [], provenAccounts: [], declarations: {}, ...holder },
    request: { transactionValue: undefined, currency: undefined },
    metadata: undefined,
    endpoint: { host: 'shop.example', authorities: ['shop.example'] },
    now: Date.UTC(2026, 10, 27),
    ...varied,
  })
}
