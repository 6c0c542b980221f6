// CSV lines: quotes, and no formulas.
import { expect, it } from 'vitest'
import { csvLines, csvNumber } from './csv.ts'

it.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"'],
  [[undefined, 3, csvNumber('-12.50')], ',3,-12.50'],
  [['=1+1', '+351912345678', '-x', '@sum', '\t=1'], "'=1+1,'+351912345678,'-x,'@sum,'\t=1"],
  [['Ana; =1+1', 'a;b', 'x;=HYPERLINK(A1)'], "Ana;' =1+1,a;b,x;'=HYPERLINK(A1)"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
])('%j is the line %s', (cells, line) => {
  expect(csvLines('comma')(cells)).toBe(`${line}\r\n`)
})

it.each([
  [['a,b', 'a;b', 'say "no"'], 'a,b;"a;b";"say ""no"""'],
  [[undefined, 3, csvNumber('-1234.50')], ';3;-1234,50'],
  [['=1+1', 'x;=HYPERLINK(A1)'], `'=1+1;"x;'=HYPERLINK(A1)"`],
])('%j is, with semicolons, the line %s', (cells, line) => {
  expect(csvLines('semicolon')(cells)).toBe(`${line}\r\n`)
})
