import type { FileDiff } from '../../git/diff.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';

/** Beyond this a file starts folded, as a browser gets slow with it. */
const unfoldedLines = 800;

/** One foldable box per file, with a line that sums them up. */
export function diffView(files: readonly FileDiff[]): Html {
  const additions = sum(files, 'additions');
  const deletions = sum(files, 'deletions');
  return html`<p class="diff-total">
      Showing <strong>${files.length} changed ${files.length === 1 ? 'file' : 'files'}</strong> with
      <span class="plus">${additions} additions</span> and <span class="minus">${deletions} deletions</span>
    </p>
    ${files.map(fileDiff)}`;
}

function fileDiff(file: FileDiff): Html {
  const { path, previousPath, additions, deletions, patch } = file;
  const open = additions + deletions <= unfoldedLines;
  return html`<details class="box file" ${open && html`open`}>
    <summary>
      <span class="grow">${previousPath !== null && html`${previousPath} → `}<strong>${path}</strong></span
      >${diffStat(file)}
    </summary>
    ${
      patch === null
        ? html`<p class="blank">
            ${previousPath === null ? 'Binary file or change of mode: nothing to show.' : 'File renamed without changes.'}
          </p>`
        : html`<div class="scroll">${diffTable(patch)}</div>`
    }
  </details>`;
}

export function diffStat({ additions, deletions }: Pick<FileDiff, 'additions' | 'deletions'>): Html {
  const total = Math.max(additions + deletions, 1);
  const added = Math.round((additions / total) * 5);
  const removed = additions + deletions === 0 ? 0 : 5 - added;
  const bar = Array.from({ length: 5 }, (_, index) => (index < added ? 'a' : index < added + removed && 'd'));
  return html`<span class="row"
    ><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span>
    <span class="bars" aria-hidden="true">${bar.map((kind) => html`<i class="${kind}"></i>`)}</span></span
  >`;
}

/** A patch from its first `@@` on, as lines with their old and new numbers. */
export function diffTable(patch: string): Html {
  let before = 0;
  let after = 0;
  const rows = patch.split('\n').map((line) => {
    const hunk = /^@@ -(?<before>\d+)(?:,\d+)? \+(?<after>\d+)(?:,\d+)? @@/u.exec(line)?.groups;
    if (hunk) {
      before = Number(hunk['before']);
      after = Number(hunk['after']);
      return html`<tr class="hunk">
        <td colspan="4">${line}</td>
      </tr>`;
    }
    const sign = line.slice(0, 1);
    const text = line.slice(1);
    if (sign === '\\')
      return html`<tr class="hunk">
        <td colspan="4">${text.trim()}</td>
      </tr>`;
    const oldNumber = sign === '+' ? '' : before++;
    const newNumber = sign === '-' ? '' : after++;
    const kind = sign === '+' ? 'add' : sign === '-' && 'del';
    return html`<tr class="${kind}">
      <td class="num" data-n="${oldNumber}"></td>
      <td class="num" data-n="${newNumber}"></td>
      <td class="sign">${sign}</td>
      <td>${text}</td>
    </tr>`;
  });
  return html`<table class="code">
    ${rows}
  </table>`;
}

function sum(files: readonly FileDiff[], key: 'additions' | 'deletions'): number {
  return files.reduce((total, file) => total + file[key], 0);
}
