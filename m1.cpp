#include <cstdio>
#include <string>
#include <optional>
#include <variant>
#include "anew/policies.hpp"
#include "anew/virtual.hpp"
using namespace std::chrono_literals;
using anew::directive; 
// result type expected-like
struct err { int v; };
struct res { int v; bool has_value() const { return v>=0; } err error() const { return {v}; } int value() const {return v;} };
// own classifier N: configurable
template<int N> struct C { using role=anew::roles::classifier; inline static directive d=directive::fail(); inline static int asked=0;
  directive classify(err const&) const { ++asked; return d; } };
template<int N> struct R { using role=anew::roles::classifier; inline static directive d=directive::fail(); inline static int asked=0;
  directive classify_result(long long const&) const { ++asked; return d; } };
template<int N> struct X { using role=anew::roles::classifier; using catches=anew::catch_list<std::runtime_error>; inline static directive d=directive::fail();
  directive classify(std::runtime_error const&) const { return d; } };

directive const D[]={directive::succeed(),directive::fail(),directive::retry(), directive::retry(anew::failure{anew::error_kind::timeout,anew::retry_safety::maybe,{}}),directive::no_opinion(),directive::unclassified()};
char const* const N[]={"succeed","fail","retry","maybe","noop","unclas"};
enum M {S,F,RY,MB,NO,UN};
// model for errors
int any_e(std::initializer_list<int> v){ bool s=false,f=false,no=false; for(int x:v){ if(x==RY||x==MB) return x; if(x==S)s=true; if(x==F)f=true; if(x==NO)no=true;} if(s)return S; if(f)return F; if(no) return NO; return UN;}
int first_e(std::initializer_list<int> v){ bool no=false; for(int x:v){ if(x==UN) continue; if(x==NO){no=true;continue;} return x;} return no?NO:UN;}
int not_e(int x){ if(x==RY||x==MB) return F; if(x==F||x==NO) return RY; return x;}
int idem(int x){ return x==RY?MB:x; }
std::string reason_of(int m,bool idempotent){ switch(m){case S:return "succeeded";case F:return "not_retryable";case RY:return "attempts";case MB:return idempotent?"attempts":"not_idempotent";case NO:return "not_retryable";default:return "unclassified";} }
int bad=0,total=0;
template<class Cl, class Op> void check(char const* what,int model,Op op,std::string const& d){
  using St=anew::strategy<Cl,anew::no_backoff,anew::max_attempts<2>>;
  for(int k=0;k<2;++k){ ++total;
   auto run=[&](auto const& s){ std::string r; if(k) r=to_string(anew::retry_outcome(s,anew::idempotent(op)).reason()); else r=to_string(anew::retry_outcome(s,op).reason()); return r; };
   auto got=run(St{}); auto want=reason_of(model,k);
   if(got!=want){ if(bad++<60) std::printf("BAD %s [%s] idem=%d got %s want %s\n",what,d.c_str(),k,got.c_str(),want.c_str()); }
   anew::virtual_strategy<St,err> v{St{}}; anew::strategy_view view{v};
   auto gv=run(view); ++total; if(gv!=got){ if(bad++<60) std::printf("VBAD %s [%s] idem=%d virtual %s static %s\n",what,d.c_str(),k,gv.c_str(),got.c_str());}
  }
}
int main(){
  auto op=[]{ return res{-1}; };
  for(int a=0;a<6;++a) for(int b=0;b<6;++b) { C<0>::d=D[a]; C<1>::d=D[b]; std::string d=std::string(N[a])+","+N[b];
    using namespace anew;
    check<C<0>>("C",a,op,d);
    check<any_of<C<0>,C<1>>>("any_of",any_e({a,b}),op,d);
    check<first_of<C<0>,C<1>>>("first_of",first_e({a,b}),op,d);
    check<not_<any_of<C<0>,C<1>>>>("not any",not_e(any_e({a,b})),op,d);
    check<any_of<not_<C<0>>,C<1>>>("any(not,)",any_e({not_e(a),b}),op,d);
    check<first_of<not_<C<0>>,C<1>>>("first(not,)",first_e({not_e(a),b}),op,d);
    check<idempotent_only<first_of<C<0>,C<1>>>>("idem first",idem(first_e({a,b})),op,d);
    check<first_of<idempotent_only<C<0>>,C<1>>>("first(idem,)",first_e({idem(a),b}),op,d);
    check<first_of<caused_by<C<0>>,C<1>>>("first(caused,)",first_e({a,b}),op,d);
    check<first_of<any_of<C<0>,C<1>>,retry_all>>("first(any,all)",first_e({any_e({a,b}),RY}),op,d);
  }
  std::printf("total %d bad %d\n",total,bad);
}
