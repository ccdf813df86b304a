/** The fields of a passport's machine readable zone, without fillers and check digits. */
export type MrzFields = {
  documentCode: string
  issuer: string
  names: string
  documentNumber: string
  nationality: string
  /** YYMMDD. */
  birth: string
  sex: string
  /** YYMMDD. */
  expiry: string
  optional: string
}

/**
 * Builds the two lines of a passport valid until 2035 with correct check digits, independently of the code that reads
 * them.
 */
export function buildMrzLines(fields: Partial<MrzFields> = {}): string {
  const { documentCode, issuer, names, documentNumber, nationality, birth, sex, expiry, optional } = {
    documentCode: 'P<',
    issuer: 'UTO',
    names: 'ERIKSSON<<ANNA<MARIA',
    documentNumber: 'L898902C3',
    nationality: 'UTO',
    birth: '740812',
    sex: 'F',
    expiry: '350415',
    optional: 'ZE184226B',
    ...fields,
  }
  const withCheckDigit = (text: string) => text + checkDigitOf(text)
  const number = withCheckDigit(documentNumber.padEnd(9, '<'))
  const dates = [withCheckDigit(birth), withCheckDigit(expiry)] as const
  const rest = withCheckDigit(optional.padEnd(14, '<'))
  const first = `${documentCode}${issuer.padEnd(3, '<')}${names}`.padEnd(44, '<')
  const composite = checkDigitOf(number + dates[0] + dates[1] + rest)
  return `${first}\n${number}${nationality.padEnd(3, '<')}${dates[0]}${sex}${dates[1]}${rest}${composite}`
}

function checkDigitOf(text: string): string {
  const values = [...text].map((character) => (character === '<' ? 0 : Number.parseInt(character, 36)))
  return String(values.reduce((sum, value, at) => sum + value * Number('731'[at % 3]), 0) % 10)
}
