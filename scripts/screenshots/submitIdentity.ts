import { computeMrzCheckDigit } from '@svc/core/kyd/mrzFields.ts'
import type { Browser } from 'playwright-core'

/** ICAO's own example of a passport, good for longer. Source: ICAO Doc 9303-4 Appendix B. */
const NAMES = 'P<UTOERIKSSON<<ANNA<MARIA'
const [NUMBER, BIRTH, EXPIRY, OPTIONAL] = ['L898902C3', '740812', '350415', 'ZE184226B<<<<<']

/** Hands in an identity to be reviewed: two drawn pictures and the zone of the example passport. */
export async function submitIdentity(
  { browser, baseUrl }: { browser: Browser; baseUrl: string },
  bearer: string,
): Promise<void> {
  const body = new FormData()
  for (const [name, words] of [
    ['passport', 'Example passport'],
    ['selfie', 'Example portrait'],
  ] as const) {
    body.append(
      name,
      new Blob([new Uint8Array(await draw(browser, words))], { type: 'image/png' }),
      `${name}.png`,
    )
  }
  body.append('mrz', machineReadableZone())
  const headers = { authorization: `Bearer ${bearer}` }
  const response = await fetch(`${baseUrl}/api/kyd`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`POST /api/kyd answered ${response.status}: ${await response.text()}`)
}

async function draw(browser: Browser, words: string): Promise<Uint8Array> {
  const page = await browser.newPage({ viewport: { width: 480, height: 340 } })
  const style =
    'margin:0;display:grid;place-items:center;height:100vh;background:#dbe4ff;font:28px sans-serif'
  await page.setContent(`<body style="${style}">${words}</body>`)
  const picture = await page.screenshot()
  await page.close()
  return picture
}

function machineReadableZone(): string {
  const checked = (field: string) => `${field}${computeMrzCheckDigit(field)}`
  const composite = checked(NUMBER) + checked(BIRTH) + checked(EXPIRY) + checked(OPTIONAL)
  const second = `${checked(NUMBER)}UTO${checked(BIRTH)}F${checked(EXPIRY)}${checked(OPTIONAL)}`
  return `${NAMES.padEnd(44, '<')}\n${second}${computeMrzCheckDigit(composite)}`
}
