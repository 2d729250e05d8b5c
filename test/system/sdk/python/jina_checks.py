import httpx
from checks import arguments, refused, run
from jina_cli import api

origin, key, model = arguments()
# Its address is no option.
api.API_BASE = f"{origin}/api/chatstyle"
QUERY = "Where do llamas live?"
DOCUMENTS = ["Pandas live in China.", "Llamas live in the Andes.", "It rains.", "Do llamas spit?"]


def ranked():
    results = api.rerank(QUERY, DOCUMENTS, api_key=key, model=model, top_n=2)
    assert [one["index"] for one in results] == [1, 3], results


def all_documents():
    results = api.rerank(QUERY, DOCUMENTS, api_key=key, model=model)
    assert sorted(one["index"] for one in results) == [0, 1, 2, 3], results
    assert all(0 <= one["relevance_score"] <= 1 for one in results)


def error():
    with refused(httpx.HTTPStatusError, "400"):
        api.rerank(QUERY, DOCUMENTS, api_key=key, model="no-such-model")
    with refused(httpx.HTTPStatusError, "400"):
        api.rerank(QUERY, [], api_key=key, model=model)


run([ranked, all_documents, error])
