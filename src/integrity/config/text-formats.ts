// Readers of INI and XML, as far as configuration files need them.

type Table = Readonly<Record<string, unknown>>;

/** Sections as tables; keys before the first section are at the top. Indented lines continue a value. */
export function parseIni(text: string): Table {
  const root: Record<string, unknown> = {};
  let section = root;
  let key: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[+([^\]]*)\]+\s*$/.exec(line) ?? [];
    if (/^\s*(?:[#;!].*)?$/.test(line)) continue;
    if (name !== undefined) {
      section = (root[name.trim()] as Record<string, unknown> | undefined) ?? {};
      root[name.trim()] = section;
      key = undefined;
    } else if (/^\s/.test(line) && key !== undefined)
      section[key] = section[key] === '' ? line.trim() : `${section[key]}\n${line.trim()}`;
    else {
      const [, word = '', value = ''] =
        /^\s*(?:export\s+)?([^=:]+?)\s*(?:[=:]\s*([\s\S]*))?$/.exec(line) ?? [];
      key = word;
      section[key] = value.replace(/\s+[#;].*$/, '').replace(/^(["'])([\s\S]*)\1$/, '$2');
    }
  }
  return root;
}

/** What is not closed takes the rest of the text, which would be searched again and again otherwise. */
const XML_TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<[?!][^>]*(?:>|$)|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;

type Element = Record<string, unknown>;

/** Elements as tables, attributes as keys with `@`; what is repeated is a list, and an element with text alone is a text. */
export function parseXml(text: string): Table {
  const root: Element = {};
  const open: { readonly name: string; readonly element: Element; text: string }[] = [
    { name: '', element: root, text: '' },
  ];
  /** How many elements of a name are open. */
  const levels = new Map<string, number>();
  const close = () => {
    const { name, element, text: content } = open.pop() as (typeof open)[number];
    const parent = open.at(-1)?.element ?? root;
    const words = content.trim();
    if (words !== '') element['#'] = words;
    const value = Object.keys(element).length === (words === '' ? 0 : 1) ? words : element;
    const known = parent[name];
    if (known === undefined) parent[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else parent[name] = [known, value];
    levels.set(name, (levels.get(name) ?? 0) - 1);
  };
  for (const [, cdata, slash, name, attributes = '', selfClosing, content] of text.matchAll(XML_TOKEN)) {
    const current = open.at(-1);
    if (current && (cdata ?? content) !== undefined) current.text += cdata ?? content ?? '';
    if (name === undefined) continue;
    if (slash === '/') {
      if ((levels.get(name) ?? 0) > 0) {
        while (open.at(-1)?.name !== name) close();
        close();
      }
      continue;
    }
    const element: Element = {};
    for (const [, key = '', , double, single] of attributes.matchAll(
      /([\w:.-]+)\s*=\s*("([^"]*)"|'([^']*)')/g,
    ))
      element[`@${key}`] = double ?? single ?? '';
    open.push({ name, element, text: '' });
    levels.set(name, (levels.get(name) ?? 0) + 1);
    if (selfClosing === '/') close();
  }
  while (open.length > 1) close();
  return root;
}
