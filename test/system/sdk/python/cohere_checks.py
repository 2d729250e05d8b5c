import cohere
from checks import arguments, refused, run

origin, key, model = arguments()
base = f"{origin}/api/chatstyle"
client = cohere.ClientV2(api_key=key, base_url=base)
before = cohere.Client(api_key=key, base_url=base)
QUERY = "Where do llamas live?"
DOCUMENTS = ["Pandas live in China.", "Llamas live in the Andes.", "It rains.", "Do llamas spit?"]


def ranked():
    reply = client.rerank(model=model, query=QUERY, documents=DOCUMENTS, top_n=2)
    assert [one.index for one in reply.results] == [1, 3], reply
    assert reply.results[0].relevance_score > reply.results[1].relevance_score


def all_documents():
    assert len(client.rerank(model=model, query=QUERY, documents=DOCUMENTS).results) == len(DOCUMENTS)


def billed_units():
    units = client.rerank(model=model, query=QUERY, documents=DOCUMENTS).meta
    if model.startswith("search"):
        assert units.billed_units.search_units == 1, units


def ranked_by_the_older_version():
    reply = before.rerank(model=model, query=QUERY, documents=DOCUMENTS, top_n=2, return_documents=True)
    assert [one.index for one in reply.results] == [1, 3], reply
    assert reply.results[0].document.text == DOCUMENTS[1]


def documents_with_fields():
    documents = [{"title": "China", "text": "Pandas"}, {"title": "Andes", "text": "Where llamas live"}]
    reply = before.rerank(model=model, query=QUERY, documents=documents, rank_fields=["title", "text"])
    assert reply.results[0].index == 1, reply


def error():
    for kind in (client, before):
        with refused(cohere.BadRequestError, "no-such-model"):
            kind.rerank(model="no-such-model", query=QUERY, documents=DOCUMENTS)
        with refused(cohere.BadRequestError, "documents"):
            kind.rerank(model=model, query=QUERY, documents=[])
        with refused(cohere.TooManyRequestsError, "429"):
            options = {"max_retries": 0}
            kind.rerank(
                model=model, query=f"{QUERY} [[fault:status=429]]", documents=DOCUMENTS, request_options=options
            )


run([ranked, all_documents, billed_units, ranked_by_the_older_version, documents_with_fields, error])
