/**
 * The scripts in which living languages are written: the recommended ones and those of limited use.
 *
 * Source: UAX 31, tables 5 and 7 (Unicode 15.1).
 */
export const LIVING_SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic'],
  ...['Georgian', 'Greek', 'Gujarati', 'Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana'],
  ...['Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala'],
  ...['Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan', 'Adlam', 'Balinese', 'Bamum', 'Batak'],
  ...['Canadian_Aboriginal', 'Chakma', 'Cham', 'Cherokee', 'Hanifi_Rohingya', 'Javanese'],
  ...['Kayah_Li', 'Lepcha', 'Limbu', 'Lisu', 'Mandaic', 'Meetei_Mayek', 'Miao', 'Mongolian'],
  ...['New_Tai_Lue', 'Newa', 'Nko', 'Nyiakeng_Puachue_Hmong', 'Ol_Chiki', 'Osage', 'Saurashtra'],
  ...['Sundanese', 'Syloti_Nagri', 'Syriac', 'Tai_Le', 'Tai_Tham', 'Tai_Viet', 'Tifinagh', 'Vai'],
  ...['Wancho', 'Yi'],
] as const
