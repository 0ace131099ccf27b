/** Filters above a list. They are in the address of the page, so that a list can be bookmarked and shared. */
import { goTo, type PagePlace } from './route.ts';

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; any text without them. */
  readonly values?: readonly string[];
}

export function Filters({
  place,
  filters,
}: {
  readonly place: PagePlace;
  readonly filters: readonly Filter[];
}) {
  const apply = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    goTo(place.path, Object.fromEntries(given) as PagePlace['query']);
  };
  return (
    <form class="filters" onSubmit={apply} key={JSON.stringify(place.query)}>
      {filters.map(({ name, label, values }) => (
        <label key={name} for={`filter-${name}`}>
          {label}
          {values ? (
            <select
              id={`filter-${name}`}
              name={name}
              onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
            >
              <option value="">any</option>
              {values.map((value) => (
                <option key={value} value={value} selected={place.query[name] === value}>
                  {value}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={`filter-${name}`}
              name={name}
              defaultValue={place.query[name] ?? ''}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </label>
      ))}
      <button type="submit" class="small">
        Filter
      </button>
    </form>
  );
}

/** A text as the part of a regular expression that means it. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
