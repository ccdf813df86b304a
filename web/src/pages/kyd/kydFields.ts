/** Names of the fields in the first line of the machine-readable zone. */
const FIRST_LINE = {
  line1: 'First line',
  documentCode: 'First letter',
  issuer: 'Issuing state',
  names: 'Names',
}

/** Names of the fields in the second one. */
const SECOND_LINE = {
  ...{ line2: 'Second line', documentNumber: 'Passport number', nationality: 'Nationality' },
  ...{ birthDate: 'Date of birth', sex: 'Sex', expiryDate: 'Date of expiry' },
  ...{ optionalData: 'Last part of the second line', composite: 'The second line as a whole' },
}

const ZONE = 'mrz'

/** Labels of the form's fields, by the names of the service: `passport`, `mrz/names`. */
export const KYD_LABELS: Readonly<Record<'passport' | 'selfie', string> & Record<string, string>> = {
  ...{ passport: 'Passport', selfie: 'Picture of you' },
  ...inZone({ ...FIRST_LINE, ...SECOND_LINE }),
  [ZONE]: 'The two lines',
}

/** Finds what is wrong with each line of the machine-readable zone, which is what the form has fields for. */
export function faultsOfLines(
  at: Readonly<Partial<Record<string, string>>>,
): readonly [string | undefined, string | undefined] {
  const find = (names: Readonly<Record<string, string>>) => Object.keys(names).find((name) => name in at)
  const [first, second] = [find({ [ZONE]: '', ...inZone(FIRST_LINE) }), find(inZone(SECOND_LINE))]
  return [first && at[first], second && at[second]]
}

function inZone(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, label]) => [`${ZONE}/${name}`, label]))
}
