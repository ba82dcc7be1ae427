/** The document's title. A page that knows more than its address says so by `useTitle`; the frame writes it. */

class PageTitle {
    /** What the page that is shown calls itself. */
    own = $state.raw<string | null>(null);
}

export const pageTitle = new PageTitle();

/** Titles the page for as long as the component that calls this is there. */
export function useTitle(text: () => string): void {
    $effect(() => {
        pageTitle.own = text();
        return () => (pageTitle.own = null);
    });
}
