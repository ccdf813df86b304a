import { computeMrzCheckDigit } from '@svc/core/kyd/mrzFields.ts'
import type { Browser } from 'playwright-core'

/** The example passport of ICAO Doc 9303-4 Appendix B, with a later expiry date. */
const NAMES = 'P<UTOERIKSSON<<ANNA<MARIA'
const [NUMBER, BIRTH, EXPIRY, OPTIONAL] = ['L898902C3', '740812', '350415', 'ZE184226B<<<<<']

/** Submits an identity for review: two placeholder images and the machine-readable zone of the example passport. */
export async function submitIdentity(
  { browser, baseUrl }: { browser: Browser; baseUrl: string },
  bearer: string,
): Promise<void> {
  const body = new FormData()
  for (const [name, text] of [
    ['passport', 'Example passport'],
    ['selfie', 'Example portrait'],
  ] as const) {
    body.append(
      name,
      new Blob([new Uint8Array(await drawImage(browser, text))], { type: 'image/png' }),
      `${name}.png`,
    )
  }
  body.append('mrz', buildMachineReadableZone())
  const headers = { authorization: `Bearer ${bearer}` }
  const response = await fetch(`${baseUrl}/api/kyd`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`POST /api/kyd returned ${response.status}: ${await response.text()}`)
}

async function drawImage(browser: Browser, text: string): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: { width: 480, height: 340 } })
  const style =
    'margin:0;display:grid;place-items:center;height:100vh;background:#dbe4ff;font:28px sans-serif'
  await page.setContent(`<body style="${style}">${text}</body>`)
  const image = await page.screenshot()
  await page.close()
  return image
}

function buildMachineReadableZone(): string {
  const checked = (field: string) => `${field}${computeMrzCheckDigit(field)}`
  const composite = checked(NUMBER) + checked(BIRTH) + checked(EXPIRY) + checked(OPTIONAL)
  const second = `${checked(NUMBER)}UTO${checked(BIRTH)}F${checked(EXPIRY)}${checked(OPTIONAL)}`
  return `${NAMES.padEnd(44, '<')}\n${second}${computeMrzCheckDigit(composite)}`
}
