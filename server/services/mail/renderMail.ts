import { MAIL_TEMPLATES, type MailContent, type MailData, type MailTemplate } from './mailTemplates.ts'

export type RenderedMail = { subject: string; text: string; html: string }

/**
 * Fills a template and makes both forms of it.
 *
 * @param now Epoch milliseconds. @throws Error for a template that does not exist.
 */
export function renderMail<Template extends MailTemplate>(
  template: Template,
  data: MailData[Template],
  now: number,
): RenderedMail {
  const fill = MAIL_TEMPLATES[template]
  if (fill === undefined) throw new Error(`there is no mail template ${template}`)
  const content = fill(data, now)
  return { subject: oneLine(content.subject), text: textOf(content), html: htmlOf(content) }
}

function textOf({ paragraphs, action }: MailContent): string {
  const link = action === null ? [] : [`${action.label}:\n${action.url}`]
  return `${[...paragraphs.map(oneLine), ...link].join('\n\n')}\n`
}

function htmlOf({ subject, paragraphs, action }: MailContent): string {
  const body = paragraphs.map((paragraph) => `<p>${escaped(oneLine(paragraph))}</p>`)
  const link = action === null ? '' : `<p><a href="${escaped(action.url)}">${escaped(action.label)}</a></p>`
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(oneLine(subject))}</title></head>`,
    `<body>${body.join('')}${link}</body></html>`,
  ].join('\n')
}

/** Names that people chose must not add lines: a line could pass for one of ours. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+|[\u2028\u2029]+/gu, ' ')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
